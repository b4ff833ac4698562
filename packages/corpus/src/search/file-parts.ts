// A large file in parts that end at a line end. Memory is bounded by the part, not by the file.
import { afterLineEnd, cutPoint } from '../text/text.ts'
import { readFully } from '../content/content.ts'

export interface FilePart {
  /** The memory of `bytes`, for the regex worker. */
  shared: SharedArrayBuffer
  bytes: Buffer
}

const partBytes = 8 << 20
/** A longer line is searched in pieces, as if it were several lines. */
const maxLineBytes = 256 << 20

export class FileParts {
  readonly #fd: number
  readonly #size: number
  #offset = 0

  constructor(fd: number, size: number) {
    this.#fd = fd
    this.#size = size
  }

  /** The next part; undefined at the end of the file. */
  next(): FilePart | undefined {
    for (let wanted = partBytes; ; wanted *= 2) {
      const length = Math.min(wanted, this.#size - this.#offset)
      if (length <= 0) return undefined
      const shared = new SharedArrayBuffer(length)
      const buffer = Buffer.from(shared)
      const got = readFully(this.#fd, buffer, this.#offset)
      if (got === 0) return undefined
      const last = got < length || this.#offset + got >= this.#size
      const end = last ? got : lastLineEnd(buffer, got)
      if (end > 0 || wanted >= maxLineBytes) {
        const cut = end > 0 ? end : cutPoint(buffer, got)
        this.#offset += cut
        return { shared, bytes: buffer.subarray(0, cut) }
      }
    }
  }
}

/** The offset after the last complete line end; 0 without one. */
function lastLineEnd(bytes: Buffer, length: number): number {
  // A CR at the end may be the first half of a CRLF.
  const complete = bytes.subarray(0, bytes[length - 1] === 0x0d ? length - 1 : length)
  const at = Math.max(complete.lastIndexOf(0x0a), complete.lastIndexOf(0x0d))
  return at === -1 ? 0 : afterLineEnd(complete, at)
}
