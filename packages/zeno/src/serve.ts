// `zeno serve`: JSONL over standard input and output (the zeno contract, process and envelope). One
// request at a time, answers in the order of the requests. Signals keep their default: the process
// dies at once, and whatever was answered is out and traced by then.
import type { Host } from '@zee/core/exit'
import { lossless } from '@zee/core/lossless'
import { openService } from './open-service.ts'
import type { ServiceSettings } from './open-service.ts'
import { parseRequest } from './request.ts'
import type { BadRequest, Request } from './request.ts'
import { requestLines } from './request-lines.ts'
import type { RequestLine } from './request-lines.ts'

/** Lines beyond this are answered with an error instead of being kept in memory. */
const mostLineBytes = 64 * 1024 * 1024

export async function runServe(settings: ServiceSettings, host: Host): Promise<number> {
  const { service, close } = await openService(settings, host)
  const write = lossless(host.stdout)
  try {
    for await (const line of requestLines(host.stdin, mostLineBytes)) {
      const request = requestOf(line)
      if (request === undefined) continue
      const answer = await service.answer(request)
      await write(`${answer.json}\n`)
      answer.settle()
    }
  } finally {
    await close()
  }
  return 0
}

function requestOf(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${mostLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
