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

/** Writes a short answer in one call. Of a long one, short pieces are joined and long ones are not copied. */
async function writeLine(
  write: Write,
  pieces: AsciiPieces,
  memory: Buffer | undefined,
): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < longAnswerBytes)
    return write(joinPieces([...pieces, '\n'], memory ?? Buffer.allocUnsafe(length + 1)))
  let joined: AsciiPieces = []
  let bytes = 0
  for (const piece of [...pieces, '\n']) {
    if (bytes > 0 && bytes + piece.length > longAnswerBytes) {
      await write(joinPieces(joined, memory ?? Buffer.allocUnsafe(bytes)))
      joined = []
      bytes = 0
    }
    if (piece.length > longAnswerBytes) await write(piece)
    else {
      joined.push(piece)
      bytes += piece.length
    }
  }
  await write(joinPieces(joined, memory ?? Buffer.allocUnsafe(bytes)))
}

/** Copies the pieces into `memory`. */
function joinPieces(pieces: AsciiPieces, memory: Buffer): Uint8Array {
  let offset = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') memory.write(piece, offset, 'latin1')
    else memory.set(piece, offset)
    offset += piece.length
  }
  return memory.subarray(0, offset)
}

const longAnswerBytes = 64 * 1024

function parseLine(line: RequestLine): Request | BadRequest | undefined {
  if ('bytes' in line) return parseRequest(line.bytes)
  const problem = `a request must not be longer than ${maxLineBytes} bytes, got ${line.tooLong}`
  return { id: null, problem }
}
