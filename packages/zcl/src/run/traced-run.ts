// The state of one traced run, and how its events and its output are written.
import type { Host } from '@zee/core/exit'
import type { PendingPipes } from '@zee/core/process'
import type { Redactor } from '@zee/core/redact'
import type { AttemptContext } from '@zee/evidence/attempt'
import {
  appendTraceEvent,
  recordingFailure,
  type PreparedInput,
  type TraceEvent,
} from '@zee/evidence/trace'
import { zclError } from '../errors/errors.ts'
import type { RunOptions } from './options.ts'

/** State shared by all steps of one run. */
export interface Run {
  host: Host
  /** A copy: each read of `process.env` calls into the C library. */
  env: Host['env']
  options: RunOptions
  context: AttemptContext
  redactor: Redactor
  input: PreparedInput
  pipes: PendingPipes
  startedAt: Date
  /** Links the begin line, the event and nested calls. */
  id: string
  parentId: string | undefined
  isIgnored: boolean
}

export const tool = { tool: 'cli', op: 'exec' } as const

export async function appendEvent(context: AttemptContext, event: TraceEvent): Promise<void> {
  try {
    await appendTraceEvent(context.folder, event)
  } catch (error) {
    throw zclError('ZCL_E_IO', recordingFailure(error), error)
  }
}

/** Resolves when the system has accepted the text; the process exits right after. */
export function writeFully(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}
