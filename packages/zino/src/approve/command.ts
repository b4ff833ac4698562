// `zino approve`: lists the tool calls that wait for approval, and allows or refuses one of them.
import { terminalSafeText } from '@zee/core/colour'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService, withStartAdvice } from '../client/client.ts'
import { findClientConfig } from '../config/config.ts'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'

export interface ApproveCall {
  config: string | undefined
  id: string | undefined
  deny: boolean
  json: boolean
}

const deadlineMs = 5000

export async function runApprove(call: ApproveCall, host: Host): Promise<number> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { config } = await findClientConfig(lookup)
  const { socket } = config.daemon
  if (call.id === undefined) {
    if (call.deny) throw usageError('--deny needs the id of a call')
    return listWaiting(socket, call.json, host)
  }
  const request = { type: 'approve', id: call.id, allow: !call.deny, by: 'zino approve' }
  const answer = await ask(socket, request)
  const done = call.deny ? 'denied' : 'approved'
  host.stdout.write(call.json ? `${JSON.stringify(answer)}\n` : `${done} ${call.id}\n`)
  return 0
}

async function listWaiting(socket: string, json: boolean, host: Host): Promise<number> {
  const { approvals } = await ask(socket, { type: 'approvals' })
  const waiting = Array.isArray(approvals) ? approvals.filter((each) => isMessage(each)) : []
  if (json) {
    host.stdout.write(`${JSON.stringify({ approvals: waiting }, null, 2)}\n`)
    return 0
  }
  const safe = terminalSafeText(host.stdout)
  const lines = waiting.map((each) => safe(describeCall(each)))
  host.stdout.write(lines.length === 0 ? 'no calls wait for approval\n' : lines.join(''))
  return 0
}

/** The id, where it comes from, and the code. */
function describeCall({ id, tool, channel, expires, code }: Message): string {
  const where = typeof channel === 'string' ? ` in channel ${channel}` : ''
  const head = `${String(id)}  ${String(tool)}${where}, denied at ${String(expires)}\n`
  return head + String(code).trimEnd().replaceAll(/^/gm, '    ') + '\n'
}

async function ask(socket: string, request: object): Promise<Message> {
  const asked = askService(socket, request, { deadlineMs })
  const answer = await asked.catch((error: unknown) => {
    throw withStartAdvice(error)
  })
  if (answer.type !== 'error') return answer
  throw new ZeeError('approve', String(answer.message))
}
