// Sends a request to tmr. A running supervisor starts tmr when it does not run yet.
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService, controlSocketBeside, unreachableCode } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import { findClientConfig } from '../config/config.ts'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'

export interface TimerCall {
  config: string | undefined
  json: boolean
}

const deadlineMs = 30_000

export async function askTimers(call: TimerCall, host: Host, request: object): Promise<Message> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { config } = await findClientConfig(lookup)
  const answer = await askTimerService(config, request)
  if (answer.type !== 'error') return answer
  throw new ZeeError('timers', String(answer.message ?? 'tmr returned an error without a message'))
}

/** Tells the user about lines that could not be read. */
export function warnOfDamage(file: string, damaged: unknown, host: Host): void {
  if (!isMessage(damaged)) return
  const copy = typeof damaged.copy === 'string' ? ` (see ${damaged.copy})` : ''
  host.stderr.write(`zino: ${file}: ${String(damaged.lines)} damaged lines were skipped${copy}\n`)
}

/** Resolves to the answer, also an error frame. */
export async function askTimerService(
  config: ZinoConfig,
  request: object,
  signal?: AbortSignal,
): Promise<Message> {
  try {
    return await askService(config.tmr.socket, request, { signal, deadlineMs })
  } catch (error) {
    if (!isUnreachable(error)) throw error
    await startTimers(config)
    return askService(config.tmr.socket, request, { signal, deadlineMs })
  }
}

async function startTimers(config: ZinoConfig): Promise<void> {
  const control = controlSocketBeside(config.daemon.socket)
  let answer: Message
  try {
    answer = await askService(control, { type: 'start', service: 'tmr' }, { deadlineMs })
  } catch (error) {
    if (!isUnreachable(error)) throw error
    throw new ZeeError('not_up', "zino is not up: start it with 'zino up', or run 'zino tmr'")
  }
  if (answer.type !== 'ok') throw new ZeeError('timers', String(answer.message))
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ZeeError && error.code === unreachableCode
}
