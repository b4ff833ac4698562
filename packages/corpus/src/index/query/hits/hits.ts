// Hits of the current file, made out of what was found in it: written as JSON where that may be, otherwise one
// by one, in order.
import type { FoundLine } from '../../../finder/finder.ts'
import type { Scan } from '../../../search/search.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { columnFinder, parseRegex } from '../../../regex/regex.ts'
import { decodeBytes } from '../../../text/text.ts'
import type { IndexedFiles } from '../query.ts'
import { lineBytes, noPlace, wordsPerLine } from '../area.ts'
import type { HitWriter } from './writer.ts'

export { HitWriter } from './writer.ts'

const linesAtOnce = 1024

export class FoundHits {
  readonly #files: IndexedFiles
  readonly #scan: Scan
  readonly #kernel: Kernel
  readonly #writer: HitWriter | undefined
  #columnOf: ((line: string) => number) | undefined

  constructor(files: IndexedFiles, scan: Scan, kernel: Kernel, writer: HitWriter | undefined) {
    this.#files = files
    this.#scan = scan
    this.#kernel = kernel
    this.#writer = scan.tally.writable ? writer : undefined
    // Whatever a request that came to nothing has left.
    this.#writer?.take()
  }

  /** Hits that were written come before those that are made from here on. */
  flush(): void {
    const writer = this.#writer
    if (writer === undefined) return
    this.#scan.tally.addBytes(writer.take(), (pieces) => writer.giveBack(pieces))
  }

  addLines(lines: FoundLine[], bytes: Buffer): void {
    this.flush()
    this.#scan.tally.add(this.#files.place(), bytes, lines)
  }

  /** Lines as the kernel gives them. */
  addWords(words: number, count: number): void {
    const { tally, request, files } = this.#scan
    if (request.mode !== 'hits') return tally.addCount(this.#files.place(), count)
    const most = Math.min(count, tally.wantedIn(files))
    const { maxLineChars } = request.form
    const writer = this.#begin()
    const { address, length } = this.#files.textAt(this.#files.position)
    for (let done = 0; done < most && !tally.stopped;) {
      const at = words + done * lineBytes
      const written = writer?.write(address, at, most - done, maxLineChars) ?? 0
      if (written > 0) {
        tally.addWritten(written)
        done += written
        continue
      }
      const lines = writer === undefined ? Math.min(linesAtOnce, most - done) : 1
      const bytes = this.#kernel.bytes().subarray(address, address + length)
      this.addLines(this.#linesAt(at, lines, bytes), bytes)
      done += lines
    }
  }

  #begin(): HitWriter | undefined {
    if (this.#writer === undefined) return undefined
    const { folder, name } = this.#files.names
    return this.#writer.begin(folder, name) ? this.#writer : undefined
  }

  #linesAt(words: number, count: number, bytes: Buffer): FoundLine[] {
    return Array.from({ length: count }, (_, index) =>
      this.#lineAt(words + index * lineBytes, bytes),
    )
  }

  #lineAt(words: number, bytes: Buffer): FoundLine {
    const view = new Uint32Array(this.#kernel.memory.buffer, words, wordsPerLine)
    const [line, start, end, at] = view as unknown as [number, number, number, number]
    if (at !== noPlace) return { line, start, end, at }
    // Only where a line is cut does it matter where on it the match is.
    if (end - start <= this.#scan.request.form.maxLineChars) return { line, start, end }
    return { line, start, end, column: this.#column(decodeBytes(bytes.subarray(start, end))) }
  }

  #column(line: string): number {
    const { pattern, caseSensitive } = this.#scan.request
    this.#columnOf ??= columnFinder(parseRegex(pattern, { ignoreCase: !caseSensitive }))
    return this.#columnOf?.(line) ?? 1
  }
}
