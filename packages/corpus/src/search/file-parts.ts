// A large file in parts that end with a line, so that memory is bounded by the part and not by the file.
import { afterLineEnd, cutPoint } from '../text/text.ts'
import { readFully } from '../content/content.ts'

export interface FilePart {
  shared: SharedArrayBuffer
  bytes: Buffer
}

const partBytes = 8 << 20
/** A line longer than this is searched in pieces, as if it were several. */
const longestLineBytes = 256 << 20

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
      if (end > 0 || wanted >= longestLineBytes) {
        const cut = end > 0 ? end : cutPoint(buffer, got)
        this.#offset += cut
        return { shared, bytes: buffer.subarray(0, cut) }
      }
    }
  }
}

/** Offset behind the last line end whose extent is known; 0 when there is none. */
function lastLineEnd(bytes: Buffer, length: number): number {
  // A CR at the very end may be the first half of a CRLF.
  const known = bytes.subarray(0, bytes[length - 1] === 0x0d ? length - 1 : length)
  const at = Math.max(known.lastIndexOf(0x0a), known.lastIndexOf(0x0d))
  return at === -1 ? 0 : afterLineEnd(known, at)
}
