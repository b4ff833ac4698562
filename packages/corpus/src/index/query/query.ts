// The files that a grep looks into when there is an index: those that may hold what is searched for, in
// order. Everything in between is counted as if it had been searched, because it would have been in vain.
import type { RequestTime } from '../../engine.ts'
import { FileReads } from '../../content/content.ts'
import type { LargeFile } from '../../content/content.ts'
import type { FoundLine, PlainNeedle } from '../../finder/finder.ts'
import type { SearchFiles, SearchRequest, Scan, Taken } from '../../search/search.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { Steps } from '../../steps.ts'
import { openLink } from '../../walk/walk.ts'
import { isSame, statsOf } from '../checked-file.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { FolderOpener } from '../tree/tree.ts'
import type { KernelSearch } from './kernel-search.ts'
import { IndexedSearch } from './search.ts'
import type { IndexedSearchParts } from './search.ts'
import { isTooLarge } from './selected-order.ts'
import type { SelectedOrder } from './selected-order.ts'

export { HitWriter } from './hits/hits.ts'
export { KernelSearch, searchBytes } from './kernel-search.ts'
export { SelectedOrders } from './orders.ts'
export type { SelectedOrder } from './selected-order.ts'
export { QueryPool, serveQueries } from './threads/threads.ts'

export interface IndexedFilesOptions {
  root: CorpusRoot
  table: FileTable
  kernel: Kernel
  order: SelectedOrder
  /** Positions that have to be searched, a bit for each; undefined for all. Asked when needed. */
  candidates(): Uint32Array | undefined
  /** Links by the files that they lead to. */
  links: ReadonlyMap<number, number>
  search: KernelSearch
  /** What else a search may use. */
  query: Pick<IndexedSearchParts, 'pool' | 'writer' | 'ownFiles'>
  request: SearchRequest
  time: RequestTime
  signal: AbortSignal | undefined
  /** A file was not what it should have been. */
  onStale(id: number): void
}

/** So many files of an answer are looked at once more before they are returned. */
const mostChecked = 256
/** Files that are searched before the index is asked, and again as long as so many hits come of it. */
const probeFiles = 64
const worthProbing = 12
const mostProbedHits = 1000

export class IndexedFiles implements SearchFiles {
  limited = false
  late = false
  readonly #options: IndexedFilesOptions
  readonly #reads: FileReads
  readonly #opener: FolderOpener
  readonly #first: number
  /** The position behind the last file that may be taken. */
  readonly #end: number
  #position: number
  /** Sums up to here are in `#sums`. */
  #summed: number
  #sums = { chars: 0, skippedLarge: 0 }
  #ended = false
  #isStale = false
  #checked = 0
  #candidates: { bits: Uint32Array | undefined } | undefined
  /** Up to here every file is searched, before the index is asked. */
  #probeEnd: number
  #found = 0
  #needle: PlainNeedle | undefined
  /** What is left is not for `ahead`. */
  #isLeft = false

  constructor(options: IndexedFilesOptions) {
    const { order, request } = options
    const { resume, selection, maxBytes } = request
    this.#options = options
    this.#reads = new FileReads(maxBytes)
    this.#opener = new FolderOpener(options.root)
    this.#first = resume === undefined ? 0 : order.firstFrom(resume.path)
    const most = this.#first + Math.max(0, selection.maxFiles - (resume?.files ?? 0))
    this.#end = Math.min(order.length, most)
    this.#position = this.#first - 1
    this.#summed = this.#first
    this.#probeEnd = this.#first
  }

  get path(): string {
    return this.#position < this.#first ? '' : this.#options.table.path(this.#id())
  }

  next(): boolean {
    const { time, order } = this.#options
    this.#isStale = false
    if (time.hasDeadline && this.#position + 1 < order.length && time.leftMs() <= 0) {
      this.late = true
      return false
    }
    const next = this.#nextCandidate(this.#position + 1)
    if (next < this.#end) {
      this.#position = next
      return true
    }
    this.#ended = true
    this.limited = this.#end < order.length
    return false
  }

  read(): Buffer | undefined {
    const { table, kernel } = this.#options
    const id = this.#id()
    const address = table.contents[id] as number
    if (!this.#isStale && address !== nowhere) {
      return kernel.bytes().subarray(address, address + (table.lengths[id] as number))
    }
    // It is in the sums with the characters that it had; what is read now counts instead.
    if (table.has(id, FileFlag.known)) this.#reads.chars -= table.chars[id] as number
    return this.#reads.read(this.#open(id))
  }

  lookFor(needle: PlainNeedle): void {
    const { search, request } = this.#options
    if (!search.prepare(needle)) return
    this.#needle = needle
    if (request.mode === 'hits' && request.maxHits <= mostProbedHits) {
      this.#probeEnd = this.#first + probeFiles
    }
  }

  find(limit: number): FoundLine[] | undefined {
    const { table, search } = this.#options
    const id = this.#id()
    const address = table.contents[id] as number
    if (this.#needle === undefined || this.#isStale || address === nowhere) return undefined
    if (this.#needle.folded && !table.has(id, FileFlag.plainCase)) return undefined
    const lines = search.lines(address, table.lengths[id] as number, limit)
    this.#found += lines.length
    return lines
  }

  *ahead(scan: Scan): Steps<boolean> {
    if (this.#isLeft) return false
    const { kernel, search, query, time, signal } = this.#options
    const known = new IndexedSearch(this, scan, { kernel, search, ...query }, { time, signal })
    const isDone = yield* known.search()
    this.#isLeft = !isDone
    return isDone
  }

  /** The current file by its folder, with a slash behind it, and its own name. */
  get names(): { folder: string; name: string } {
    const { table } = this.#options
    const id = this.#id()
    return { folder: table.folders[id]?.prefix ?? '', name: table.names[id] as string }
  }

  get position(): number {
    return this.#position
  }

  /** A needle is looked for by the kernel. */
  get isPrepared(): boolean {
    return this.#needle !== undefined
  }

  /** The content of the file at a position is kept; `folds` also asks for letters of plain case. */
  isKept(position: number, folds: boolean): boolean {
    const { table, order } = this.#options
    const id = order.idAt(position)
    return table.contents[id] !== nowhere && (!folds || table.has(id, FileFlag.plainCase))
  }

  textAt(position: number): { address: number; length: number; isAscii: boolean } {
    const { table, order } = this.#options
    const id = order.idAt(position)
    const [address, length] = [table.contents[id] as number, table.lengths[id] as number]
    return { address, length, isAscii: table.has(id, FileFlag.ascii) }
  }

  /** How many files may still come. */
  get most(): number {
    return this.#end - this.#position
  }

  /** Positions behind the current one that have to be searched; the index is asked from now on. */
  *further(): Generator<number> {
    this.#probeEnd = this.#first
    for (let at = this.#position + 1; (at = this.#nextCandidate(at)) < this.#end; at++) yield at
  }

  /** As if the current file had not been reached. */
  back(): void {
    this.#position--
  }

  /** The current file, for a hit in it; `taken` also says how much there was before. */
  place(): Taken {
    return { path: this.path, files: this.#position + 1 - this.#first, chars: 0, skippedLarge: 0 }
  }

  foundSome(lines: number): void {
    this.#found += lines
  }

  isCurrent(): boolean {
    const { root, table, links, onStale } = this.#options
    const id = links.get(this.#id()) ?? this.#id()
    if (this.#isStale || table.contents[id] === nowhere) return true
    if (++this.#checked > mostChecked) return true
    const stats = statsOf(root.folder, table.path(id))
    if (stats !== undefined && isSame(table, id, stats)) return true
    this.#isStale = true
    onStale(id)
    return false
  }

  get hasLarge(): boolean {
    return this.#reads.hasLarge
  }

  takeLarge(): LargeFile | undefined {
    return this.#reads.takeLarge()
  }

  addChars(chars: number): void {
    this.#reads.chars += chars
  }

  taken(): Taken {
    const to = this.#ended ? this.#end : this.#position + 1
    const { order, request } = this.#options
    const more = order.sum(this.#summed, to, request.maxBytes)
    this.#sums.chars += more.chars
    this.#sums.skippedLarge += more.skippedLarge
    this.#summed = to
    return {
      path: this.path,
      files: to - this.#first,
      chars: this.#sums.chars + this.#reads.chars,
      skippedLarge: this.#sums.skippedLarge + this.#reads.skippedLarge,
    }
  }

  close(): void {
    this.#reads.close()
    this.#opener.close()
  }

  #id(): number {
    return this.#options.order.idAt(this.#position)
  }

  #nextCandidate(from: number): number {
    const { order, table, request } = this.#options
    for (let at = from; at < this.#end; at++) {
      const bits = this.#isProbe(at) ? undefined : this.#bits()
      if (bits !== undefined) {
        at = nextBit(bits, at, this.#end)
        if (at >= this.#end) break
      }
      // One that is known to be too large is in the sums already.
      if (!isTooLarge(table, order.idAt(at), request.maxBytes)) return at
    }
    return this.#end
  }

  /** What is everywhere is found sooner by looking than by asking where it is. */
  #isProbe(at: number): boolean {
    if (at < this.#probeEnd) return true
    if (this.#candidates !== undefined || this.#probeEnd === this.#first) return false
    if (this.#found * worthProbing < this.#options.request.maxHits) return false
    this.#probeEnd = at + probeFiles
    return true
  }

  #bits(): Uint32Array | undefined {
    this.#candidates ??= { bits: this.#options.candidates() }
    return this.#candidates.bits
  }

  #open(id: number): number {
    const { root, table } = this.#options
    const kind = table.kinds[id]
    if (kind === FileKind.link) return openLink(root, table.path(id))
    const folder = table.folders[id]
    if (kind === FileKind.other || folder === undefined) return -1
    return this.#opener.file(folder, table.names[id] as string)
  }
}

function nextBit(bits: Uint32Array, from: number, end: number): number {
  let word = from >>> 5
  let left = ((bits[word] ?? 0) >>> (from & 31)) << (from & 31)
  while (left === 0) {
    word++
    if (word * 32 >= end) return end
    left = bits[word] as number
  }
  return word * 32 + 31 - Math.clz32(left & -left)
}
