// Lines of requests to lines of answers, one after the other, for whoever is at the other end.
import { lossless } from '@zee/core/lossless'
import { parseRequest } from './request.ts'
import type { BadRequest, Request } from './request.ts'
import { requestLines } from './request-lines.ts'
import type { RequestLine } from './request-lines.ts'
import type { Service } from './service.ts'

export interface AnswerTo {
  write: NodeJS.WritableStream
  /** Nobody waits for answers any more. */
  signal?: AbortSignal
}

/** Lines beyond this are answered with an error instead of being kept in memory. */
const mostLineBytes = 64 * 1024 * 1024

export async function answerLines(
  service: Service,
  input: AsyncIterable<Buffer | string>,
  { write: output, signal }: AnswerTo,
): Promise<void> {
  const write = lossless(output)
  for await (const line of requestLines(input, mostLineBytes)) {
    const request = requestOf(line)
    if (request === undefined) continue
    const answer = await service.answer(request, signal)
    if (signal?.aborted === true) return
    await write(`${answer.json}\n`)
    answer.settle()
  }
}

function requestOf(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${mostLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
