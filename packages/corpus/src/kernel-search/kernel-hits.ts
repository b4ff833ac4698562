// Adds the lines that the kernel found in a text to the result: as JSON where that is allowed, otherwise as
// objects.
import type { FoundLine } from '../finder/finder.ts'
import type { Candidate, SearchTask } from '../search/search.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { columnFinder, parseRegex } from '../regex/regex.ts'
import { decodeBytes } from '../text/text.ts'
import { lineBytes, unknownOffset, wordsPerLine } from './line-words.ts'
import type { HitWriter } from './writer.ts'

/** Lines that are decoded together. */
const linesAtOnce = 1024

/** Texts in the kernel's memory. */
export interface KernelTexts {
  path(file: Candidate): string
  /** The folder of a file, with a slash at its end, and the file's name. */
  names(file: Candidate): { folder: string; name: string }
  /** As for a `TextSource`. */
  stamp(file: Candidate): string | undefined
  cached(file: Candidate): { address: number; length: number }
}

export class KernelHits {
  readonly #texts: KernelTexts
  readonly #task: SearchTask
  readonly #kernel: Kernel
  readonly #writer: HitWriter | undefined
  #columnOf: ((line: string) => number) | undefined

  constructor(texts: KernelTexts, task: SearchTask, kernel: Kernel, writer: HitWriter | undefined) {
    this.#texts = texts
    this.#task = task
    this.#kernel = kernel
    this.#writer = task.result.canBeWritten ? writer : undefined
    if (this.#writer === undefined) return
    this.#writer.startSearch(task.request.form.rev)
    task.result.useBuffer(this.#writer)
  }

  /** Adds lines of a file, given as words of the kernel at an address. */
  add(file: Candidate, words: number, count: number): void {
    const { result, request } = this.#task
    if (request.mode !== 'hits') return result.addCount(file, this.#texts.path(file), count)
    const wanted = Math.min(count, result.linesWanted(file, this.#texts))
    const writer = this.#startFile(file)
    const { address, length } = this.#texts.cached(file)
    for (let done = 0; done < wanted && !result.isComplete;) {
      const at = words + done * lineBytes
      const written = writer === undefined ? 0 : this.#write(writer, address, at, wanted - done)
      if (written > 0) {
        done += written
        continue
      }
      const lines = writer === undefined ? Math.min(linesAtOnce, wanted - done) : 1
      const bytes = this.#kernel.bytes().subarray(address, address + length)
      const [path, stamp] = [this.#texts.path(file), this.#texts.stamp(file)]
      result.add(file, { path, bytes, lines: this.#linesAt(at, lines, bytes), stamp })
      done += lines
    }
  }

  /** Writes lines while even the longest would fit into the page. Returns how many. */
  #write(writer: HitWriter, text: number, words: number, lines: number): number {
    const { result, request } = this.#task
    const { maxLineChars } = request.form
    const count = Math.min(lines, result.hitsThatFit(writer.maxHitBytes(maxLineChars)))
    if (count === 0) return 0
    const before = writer.bytes
    const written = writer.write(text, words, count, maxLineChars)
    result.addWritten(written, writer.bytes - before)
    return written
  }

  #startFile(file: Candidate): HitWriter | undefined {
    if (this.#writer === undefined) return undefined
    const { folder, name } = this.#texts.names(file)
    return this.#writer.startFile(folder, name) ? this.#writer : undefined
  }

  #linesAt(words: number, count: number, bytes: Buffer): FoundLine[] {
    return Array.from({ length: count }, (_, index) =>
      this.#lineAt(words + index * lineBytes, bytes),
    )
  }

  #lineAt(words: number, bytes: Buffer): FoundLine {
    const view = new Uint32Array(this.#kernel.memory.buffer, words, wordsPerLine)
    const [line, start, end, matchOffset] = view as unknown as [number, number, number, number]
    if (matchOffset !== unknownOffset) return { line, start, end, matchOffset }
    // The column is needed only where the line is cut.
    if (end - start <= this.#task.request.form.maxLineChars) return { line, start, end }
    return { line, start, end, column: this.#column(decodeBytes(bytes.subarray(start, end))) }
  }

  #column(line: string): number {
    const { pattern, caseSensitive } = this.#task.request
    this.#columnOf ??= columnFinder(parseRegex(pattern, { ignoreCase: !caseSensitive }))
    return this.#columnOf?.(line) ?? 1
  }
}
