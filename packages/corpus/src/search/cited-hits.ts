// Writes hits of a revision directly as JSON, without an object per hit: an answer may have 100,000 of them. Lines that
// need escapes for JSON in ASCII are quoted by JSON.stringify, or left to the caller.
import type { FoundLine } from '../finder/finder.ts'

/** Bytes that are written together. */
const pieceBytes = 64 << 10

const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const asciiText = /^[\x00-\x7e]*$/

export class CitedHits {
  readonly #rev: string
  readonly #maxLineChars: number
  #path: string | undefined
  /** What every hit of the file has before its line number, and between its text and the line number of its citation. */
  #head = ''
  #cite = ''
  #text = ''
  #pieces: Uint8Array[] = []

  /** Lines of more than `maxLineChars` are left to the caller, which cuts them. */
  constructor(rev: string, maxLineChars: number) {
    this.#rev = rev
    this.#maxLineChars = maxLineChars
  }

  /** The JSON of a hit; undefined if the caller has to make an object for it. */
  jsonOf(path: string, bytes: Buffer, { line, start, end }: FoundLine): string | undefined {
    if (end - start > this.#maxLineChars || !this.#startFile(path)) return undefined
    const text = bytes.toString('latin1', start, end)
    if (plainText.test(text)) return `${this.#head}${line},"text":"${text}"${this.#cite}${line}"}`
    if (!asciiText.test(text)) return undefined
    return `${this.#head}${line},"text":${JSON.stringify(text)}${this.#cite}${line}"}`
  }

  add(json: string): void {
    this.#text += this.#text === '' ? json : `,${json}`
    if (this.#text.length > pieceBytes) this.#cut()
  }

  /** Returns the hits added since the last call, as pieces with commas between hits. */
  take(): Uint8Array[] {
    this.#cut()
    return this.#pieces.splice(0)
  }

  /** False if the path is not plain. */
  #startFile(path: string): boolean {
    if (path === this.#path) return this.#head !== ''
    this.#path = path
    const isPlain = plainText.test(path)
    this.#head = isPlain ? `{"path":"${path}","line":` : ''
    this.#cite = `,"cite":"${this.#rev}:${path}:`
    return isPlain
  }

  #cut(): void {
    if (this.#text === '') return
    this.#pieces.push(Buffer.from(this.#text, 'latin1'))
    this.#text = ''
  }
}
