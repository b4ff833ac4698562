// The request loop: reads request lines, answers them in order and writes one answer line each.
import type { Write } from '@zee/core/lossless'
import { parseRequest, requestLines } from '../protocol/protocol.ts'
import type { BadRequest, Request, RequestLine } from '../protocol/protocol.ts'
import type { AsciiPieces, Service } from '../service/service.ts'

export interface AnswerSink {
  write: Write
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal
  /** `write` retains no reference to its argument after it resolves, so buffers can be reused. */
  canReuseMemory?: boolean
}

/** Longer lines get an error answer and are not kept in memory. */
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

/** Writes a short answer in one call. A long one goes out piece by piece, without a copy. */
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

/** Copies the pieces and a final newline into `memory`. */
function joinLine(pieces: AsciiPieces, memory: Buffer): Uint8Array {
  let offset = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') memory.write(piece, offset, 'latin1')
    else memory.set(piece, offset)
    offset += piece.length
  }
  memory[offset] = newline
  return memory.subarray(0, offset + 1)
}

const longAnswerBytes = 64 * 1024
const newline = 0x0a

function parseLine(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${maxLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
