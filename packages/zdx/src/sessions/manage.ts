// `zdx sessions fork|rename|delete|undo|diff`: what is done to one session.
import { openSession } from '@zee/agent'
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError } from '@zee/core/errors'
import { newUuid } from '@zee/core/ids'
import type { Globals } from '../commands.ts'
import { during } from '../during.ts'
import { harmless } from '@zee/core/lossless'
import { undoFolder } from '../settings/base-folder.ts'
import { workingFolder } from '../settings/working-folder.ts'
import { existingSession } from './existing-session.ts'

type SessionCall = Pick<Call, 'host' | 'args'>

export async function runFork(
  call: SessionCall & { options: { at: number | undefined } },
): Promise<number> {
  const { id, folder } = existingSession(call.host, call.args[0])
  const { forkSession } = await import('@zee/agent/sessions')
  const newId = newUuid()
  await during(`fork session '${id}'`, () => forkSession(folder, id, newId, call.options.at))
  call.host.stdout.write(`${newId}\n`)
  return 0
}

export async function runRename(call: SessionCall): Promise<number> {
  const { id, folder, base } = existingSession(call.host, call.args[0])
  const title = oneLine(call.args[1] ?? '')
  if (title === '') throw usageError('the title is empty')
  const { renameSession } = await import('@zee/agent/sessions')
  await during(`rename session '${id}'`, () =>
    renameSession(base, folder, id, title, call.host.clock),
  )
  return 0
}

export async function runDelete(call: SessionCall): Promise<number> {
  const { id, folder, base } = existingSession(call.host, call.args[0])
  const { deleteSession } = await import('@zee/agent/sessions')
  await during(`delete session '${id}'`, () =>
    deleteSession({ base, folder, undo: undoFolder(base, id) }, id, call.host.clock),
  )
  return 0
}

export async function runUndo(
  call: SessionCall & { options: { to: number | undefined } },
): Promise<number> {
  const { id, folder, base } = existingSession(call.host, call.args[0])
  const { undoSession } = await import('@zee/agent/undo')
  const places = { sessions: folder, undo: undoFolder(base, id), id }
  const session = openSession(folder, id, call.host.clock)
  try {
    const { files } = await during(`undo session '${id}'`, () =>
      undoSession(places, call.options.to, session),
    )
    call.host.stdout.write(files.map((file) => `Restored ${oneLine(file)}\n`).join(''))
  } finally {
    session.close()
  }
  return 0
}

export async function runDiff(call: SessionCall & { globals: Globals }): Promise<number> {
  const { id, folder, base } = existingSession(call.host, call.args[0])
  const { sessionDiff } = await import('@zee/agent/undo')
  const places = { sessions: folder, undo: undoFolder(base, id), id }
  const diff = sessionDiff(places, workingFolder(call.host, call.globals))
  await harmless(call.host.stdout)(diff)
  return 0
}
