// Asks a service for one frame on behalf of a request.
import { askService, restartWaitMs } from '../client/client.ts'
import type { Message } from '../wire/wire.ts'
import { badRequest, notFound } from './reply.ts'
import type { Call } from './routes.ts'

const deadlineMs = 30_000

/** The answer; an error frame becomes an error of the client's request. */
export async function ask({ signal }: Call, socket: string, request: object): Promise<Message> {
  const answer = await askService(socket, request, { signal, deadlineMs, waitMs: restartWaitMs })
  if (answer.type !== 'error') return answer
  const message = String(answer.message)
  throw message.startsWith('there is no ') ? notFound(message) : badRequest(message)
}
