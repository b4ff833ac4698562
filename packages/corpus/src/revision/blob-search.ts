// Searches blobs for a literal with the search kernel. A blob is copied into the kernel's memory, which costs less than
// one call of `indexOf` per matching line; the kernel writes most hits directly as JSON.
import { HitWriter, KernelHits, KernelSearch, searchBytes } from '../kernel-search/kernel-search.ts'
import type { KernelTexts } from '../kernel-search/kernel-search.ts'
import { createKernel, createSharedMemory, reserve } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { rememberNothing } from '../search/search.ts'
import type { Candidate, OpenedText, SearchTask, TextSearch } from '../search/search.ts'
import { PlacedTexts, spaceOf } from './placed-texts.ts'
import type { PlacedText } from './placed-texts.ts'

/** The files of a search. */
export interface BlobFiles {
  /** The number of the reader of their repository. */
  readonly reader: number
  path(file: Candidate): string
  /** The name of the object. */
  stamp(file: Candidate): string
  open(file: Candidate): OpenedText
}

export interface StartedSearch {
  search: TextSearch
  close(): void
}

const maxTextBytes = 2 << 20
const maxLines = 32 << 10
/** Searches whose hits can be written at the same time; further ones make objects. */
const maxWriters = 4
/** Memory of contents that are kept, and all memory. */
const keptBytes = 64 << 20
const memoryBytes = keptBytes + (8 << 20)

export class BlobSearch {
  readonly #kernel: Kernel
  readonly #search: KernelSearch
  readonly #texts: PlacedTexts
  readonly #freeWriters: HitWriter[] = []
  #writers = 0

  /** Undefined if the system has no shared memory. */
  static create(): BlobSearch | undefined {
    const memory = createSharedMemory(memoryBytes)
    const at = memory && reserve(memory, searchBytes(maxLines) + spaceOf(maxTextBytes) + keptBytes)
    return memory === undefined || at === undefined
      ? undefined
      : new BlobSearch(createKernel(memory), at)
  }

  constructor(kernel: Kernel, at: number) {
    this.#kernel = kernel
    this.#search = new KernelSearch(kernel, at, maxLines)
    this.#texts = new PlacedTexts(kernel, at + searchBytes(maxLines), maxTextBytes, keptBytes)
  }

  /** Starts a search for the literal of a task; undefined for a pattern or a literal that is too long. */
  start(files: BlobFiles, task: SearchTask): StartedSearch | undefined {
    const { matcher, result } = task
    const needle = matcher.kind === 'inline' ? matcher.needle : undefined
    if (needle === undefined || !this.#search.prepare(needle)) return undefined
    const writer = result.canBeWritten ? this.#takeWriter() : undefined
    let placed: PlacedText = { address: 0, length: 0, isAscii: true }
    this.#texts.startSearch()
    const texts: KernelTexts = {
      path: (file) => files.path(file),
      names: (file) => namesOf(files.path(file)),
      stamp: (file) => files.stamp(file),
      cached: () => placed,
    }
    const hits = new KernelHits(texts, task, this.#kernel, writer)
    return {
      search: (file, limit) => {
        const text = this.#textOf(files, file)
        // Searches take turns, so that the needle may be that of another one.
        const canSearch = text !== undefined && (!needle.isFolded || text.isAscii)
        if (!canSearch || !this.#search.prepare(needle)) return undefined
        placed = text
        const count = this.#search.find(text.address, text.length, limit)
        if (count === undefined) return undefined
        if (count === 0) rememberNothing(files, task, file)
        else hits.add(file, this.#search.linesAt, count)
        return text.length
      },
      close: () => {
        result.takeWritten()
        if (writer !== undefined) this.#freeWriters.push(writer)
      },
    }
  }

  /** Undefined for a text that is too long. */
  #textOf(files: BlobFiles, file: Candidate): PlacedText | undefined {
    const object = files.stamp(file)
    const known = this.#texts.get(files.reader, object)
    if (known !== undefined) return known
    const content = files.open(file)
    const isShort = Buffer.isBuffer(content) && content.length <= maxTextBytes
    return isShort ? this.#texts.add(files.reader, object, content) : undefined
  }

  #takeWriter(): HitWriter | undefined {
    const free = this.#freeWriters.pop()
    if (free !== undefined || this.#writers === maxWriters) return free
    this.#writers++
    return HitWriter.in(this.#kernel)
  }
}

function namesOf(path: string): { folder: string; name: string } {
  const nameAt = path.lastIndexOf('/') + 1
  return { folder: path.slice(0, nameAt), name: path.slice(nameAt) }
}
