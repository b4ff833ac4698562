// Lines of requests to lines of answers, one after the other, for whoever is at the other end.
import type { Write } from '@zee/core/lossless'
import { parseRequest } from './request.ts'
import type { BadRequest, Request } from './request.ts'
import { requestLines } from './request-lines.ts'
import type { RequestLine } from './request-lines.ts'
import type { Service } from './service.ts'
import type { AsciiPieces } from './written-hits.ts'

export interface AnswerTo {
  write: Write
  /** Nobody waits for answers any more. */
  signal?: AbortSignal
}

/** Lines beyond this are answered with an error instead of being kept in memory. */
const mostLineBytes = 64 * 1024 * 1024

export async function answerLines(
  service: Service,
  input: AsyncIterable<Buffer | string>,
  { write, signal }: AnswerTo,
): Promise<void> {
  for await (const line of requestLines(input, mostLineBytes)) {
    const request = requestOf(line)
    if (request === undefined) continue
    const answer = await service.answer(request, signal)
    if (signal?.aborted === true) return
    await writeLine(write, answer.pieces)
    answer.settle()
  }
}

/** A short answer is one write; a long one is not copied only to be written at once. */
async function writeLine(write: Write, pieces: AsciiPieces): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < longAnswer) return write(lineOf(pieces, length))
  for (const piece of [...pieces, '\n']) await write(piece)
}

function lineOf(pieces: AsciiPieces, length: number): Uint8Array {
  const line = Buffer.allocUnsafe(length + 1)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') line.write(piece, at, 'latin1')
    else line.set(piece, at)
    at += piece.length
  }
  line[at] = 0x0a
  return line
}

const longAnswer = 64 * 1024

function requestOf(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${mostLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
