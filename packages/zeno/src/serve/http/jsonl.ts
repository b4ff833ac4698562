// JSONL over HTTP: the body of a POST has request lines, and the response has one answer line for each, in order.
import type { ServerResponse } from 'node:http'
import { ZeeError } from '@zee/core/errors'
import { writeBounded } from '@zee/core/http-guard'
import { answerLines } from '../answer-lines.ts'
import type { Service } from '../../service/service.ts'

/** Ends early if the client leaves, or does not read for `idleMs`. */
export async function answerJsonl(
  service: Service,
  body: Buffer,
  response: ServerResponse,
  { idleMs, signal }: { idleMs: number; signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const write = async (text: string | Uint8Array): Promise<void> => {
    // A copy: the response may still hold it when the memory is used again.
    const isTaken = await writeBounded(response, Buffer.from(text as Uint8Array), idleMs)
    if (!isTaken) throw new ZeeError('aborted', 'the client left')
  }
  await answerLines(service, once(body), { write, signal })
  response.end()
}

async function* once(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}
