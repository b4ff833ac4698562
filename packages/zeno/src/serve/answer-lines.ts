// Lines of requests to lines of answers, one after the other, for whoever is at the other end.
import type { Write } from '@zee/core/lossless'
import { parseRequest, requestLines } from '../protocol/protocol.ts'
import type { BadRequest, Request, RequestLine } from '../protocol/protocol.ts'
import type { AsciiPieces, Service } from '../service/service.ts'

export interface AnswerSink {
  write: Write
  /** Nobody waits for answers any more. */
  signal?: AbortSignal
  /** Once a write has ended, nobody looks at what was written: memory may be used again. */
  canReuseMemory?: boolean
}

/** Lines beyond this are answered with an error instead of being kept in memory. */
const maxLineBytes = 64 * 1024 * 1024

export async function answerLines(
  service: Service,
  input: AsyncIterable<Buffer | string>,
  { write, signal, canReuseMemory = false }: AnswerSink,
): Promise<void> {
  const memory = canReuseMemory ? Buffer.allocUnsafeSlow(longAnswerBytes) : undefined
  for await (const line of requestLines(input, maxLineBytes)) {
    const request = parseLine(line)
    if (request === undefined) continue
    const answer = await service.answer(request, signal)
    if (signal?.aborted === true) return
    await writeLine(write, answer.pieces, memory)
    answer.writeTrace()
    if (canReuseMemory) answer.release?.()
  }
}

/** A short answer is one write; a long one is not copied only to be written at once. */
async function writeLine(
  write: Write,
  pieces: AsciiPieces,
  memory: Buffer | undefined,
): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < longAnswerBytes)
    return write(joinLine(pieces, memory ?? Buffer.allocUnsafe(length + 1)))
  for (const piece of [...pieces, '\n']) await write(piece)
}

/** The pieces and a newline behind them, in this memory. */
function joinLine(pieces: AsciiPieces, memory: Buffer): Uint8Array {
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') memory.write(piece, at, 'latin1')
    else memory.set(piece, at)
    at += piece.length
  }
  memory[at] = newline
  return memory.subarray(0, at + 1)
}

const longAnswerBytes = 64 * 1024
const newline = 0x0a

function parseLine(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${maxLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
