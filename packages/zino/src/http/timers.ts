// /v1/timers, /v1/inbox and /v1/approvals: what zino does by itself, and what it waits for.
import { ask, askTimers } from './ask.ts'
import { readJson } from './body.ts'
import { listOf } from './memory.ts'
import { badRequest, sendJson } from './reply.ts'
import type { Call } from './routes.ts'

export async function showInbox(call: Call): Promise<void> {
  const { entries, dropped } = await askTimers(call, { type: 'inbox' })
  sendJson(call.response, { object: 'list', data: listOf(entries), dropped })
}

export async function removeInboxEntry(call: Call): Promise<void> {
  const id = Number(call.params[0])
  if (!Number.isSafeInteger(id)) throw badRequest('the id of an entry is a whole number')
  await askTimers(call, { type: 'remove_inbox', ids: [id] })
  sendJson(call.response, { object: 'inbox.entry', id, deleted: true })
}

export async function listTimers(call: Call): Promise<void> {
  const { timers } = await askTimers(call, { type: 'list_timers' })
  sendJson(call.response, { object: 'list', data: listOf(timers) })
}

/** `{"kind": "remind" | "every", "when", "text", "channel_id"?, "zone"?}` */
export async function addTimer(call: Call): Promise<void> {
  const { kind, when, text, channel_id, zone } = await readJson(call)
  if (kind !== 'remind' && kind !== 'every') throw badRequest('kind must be remind or every')
  const { timer } = await askTimers(call, { type: kind, when, text, channel_id, zone })
  sendJson(call.response, { object: 'timer', ...(timer as object) }, 201)
}

const changes: ReadonlyMap<unknown, string> = new Map([
  ['pause', 'pause_timer'],
  ['resume', 'resume_timer'],
  ['run', 'run_timer'],
])

/** `{"change": "pause" | "resume" | "run"}` */
export async function changeTimer(call: Call): Promise<void> {
  const { change } = await readJson(call)
  const type = changes.get(change)
  if (type === undefined) throw badRequest('change must be pause, resume or run')
  const [id] = call.params
  const { timer, turn } = await askTimers(call, { type, id })
  sendJson(call.response, { object: 'timer', id, turn, ...(timer as object | undefined) })
}

export async function removeTimer(call: Call): Promise<void> {
  const [id] = call.params
  await askTimers(call, { type: 'remove_timer', id })
  sendJson(call.response, { object: 'timer', id, deleted: true })
}

/** Tool calls that wait for a decision. */
export async function listApprovals(call: Call): Promise<void> {
  const { approvals } = await ask(call, call.config.daemon.socket, { type: 'approvals' })
  sendJson(call.response, { object: 'list', data: listOf(approvals) })
}

/** `{"allow": true | false}` */
export async function decideApproval(call: Call): Promise<void> {
  const { allow } = await readJson(call)
  if (typeof allow !== 'boolean') throw badRequest('allow must be true or false')
  const [id] = call.params
  await ask(call, call.config.daemon.socket, { type: 'approve', id, allow, by: 'zino http' })
  sendJson(call.response, { object: 'approval', id, allow })
}
