// Approvals for clients: exc holds the waiting calls, daemon knows the channels of their turns.
import { requestError, stringField, optionalBoolean, optionalString } from '../../fields/fields.ts'
import { askService } from '../../client/client.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { Daemon } from './daemon.ts'

const deadlineMs = 3000

/** `{"type":"approvals"}`: the calls that wait, oldest first. */
export async function listApprovals({ context, book }: Daemon): Promise<object> {
  const { approvals } = await askExecutor(context.config.exc.socket, { type: 'approvals' })
  const waiting = Array.isArray(approvals) ? approvals.filter((each) => isMessage(each)) : []
  return {
    type: 'approvals',
    approvals: waiting.map((each) => ({ ...each, channel: channelOf(book, each.turn) })),
  }
}

/** `{"type":"approve","id","allow"?,"by"?}`: `allow` is true by default. */
export async function decideApproval({ context }: Daemon, message: Message): Promise<object> {
  const id = stringField(message, 'id')
  const allow = optionalBoolean(message, 'allow') ?? true
  const by = optionalString(message, 'by') ?? 'client'
  await askExecutor(context.config.exc.socket, { type: 'approve', id, allow, by })
  return { type: 'ok', id, allow }
}

async function askExecutor(socket: string, request: object): Promise<Message> {
  const answer = await askService(socket, request, { deadlineMs })
  if (answer.type === 'error') throw requestError(String(answer.message))
  return answer
}

function channelOf(book: Daemon['book'], turn: unknown): string | null {
  const channel = typeof turn === 'string' ? book.find(turn)?.begin.channel : undefined
  return channel === undefined || channel === '' ? null : channel
}
