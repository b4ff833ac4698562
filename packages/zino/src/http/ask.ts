// Asks a service for one frame on behalf of a request.
import { ZeeError } from '@zee/core/errors'
import { askService, restartWaitMs } from '../client/client.ts'
import { askTimerService } from '../timers/timers.ts'
import type { Message } from '../wire/wire.ts'
import { badRequest, HttpError, notFound } from './reply.ts'
import type { Call } from './routes.ts'

const deadlineMs = 30_000

/** The answer; an error frame becomes an error of the client's request. */
export async function ask({ signal }: Call, socket: string, request: object): Promise<Message> {
  return checked(await askService(socket, request, { signal, deadlineMs, waitMs: restartWaitMs }))
}

/** As `ask`, for tmr, which the supervisor starts if needed. */
export async function askTimers({ config, signal }: Call, request: object): Promise<Message> {
  try {
    return checked(await askTimerService(config, request, signal))
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== 'not_up') throw error
    throw new HttpError(503, 'service_unavailable', error.message)
  }
}

const missing = /^(?:there is no |no call |the inbox has no )/

function checked(answer: Message): Message {
  if (answer.type !== 'error') return answer
  const message = String(answer.message)
  throw missing.test(message) ? notFound(message) : badRequest(message)
}
