// `zcl note`: adds a note to an attempt.
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { artifactName } from '@zee/evidence/layout'
import { appendNote } from '@zee/evidence/outcome'
import type { noteKinds } from '@zee/evidence/vocabulary'
import { redactorFor } from '../../redaction/redaction.ts'
import { printWritten, wrongOptions } from '../written.ts'

export interface NoteOptions {
  kind: string
  message: string | undefined
  dataJson: string | undefined
  tags: readonly string[] | undefined
  json: boolean
}

export async function runNote(options: NoteOptions, host: Host): Promise<number> {
  if ((options.message === undefined) === (options.dataJson === undefined)) {
    throw wrongOptions('exactly one of --message and --data-json')
  }
  const context = attemptFromEnvironment(host.env, host.cwd)
  await appendNote(
    context,
    {
      kind: options.kind as (typeof noteKinds)[number],
      message: options.message,
      dataJson: options.dataJson,
      tags: options.tags ?? [],
      at: host.clock.now(),
    },
    redactorFor(host),
  )
  return printWritten(host, options.json, artifactName.notes, context)
}
