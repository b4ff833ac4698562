// The texts of indexed files: cached contents in the kernel's memory, or else the file itself.
import type { Kernel } from '../../kernel/kernel.ts'
import { FileReader } from '../../content/content.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { Candidate, OpenedText, Scanned, TextSource } from '../../search/search.ts'
import { openLink } from '../../walk/walk.ts'
import { isSame, statsOf } from '../checked-file.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { FolderOpener } from '../tree/tree.ts'
import type { SelectedRange } from './range.ts'
import type { ItemText } from './threads/threads.ts'

export interface TextOptions {
  root: CorpusRoot
  table: FileTable
  kernel: Kernel
  range: SelectedRange
  maxBytes: number
  /** The files that links lead to, by the link. */
  links: ReadonlyMap<number, number>
  /** Called for a file whose cached content is stale. */
  onStale(id: number): void
}

const nothingSummed: Scanned = { files: 0, chars: 0, skippedLarge: 0 }

/** Files of an answer that are checked against the disk before they are returned. */
const maxChecked = 256

export class IndexedTexts implements TextSource {
  readonly #options: TextOptions
  /** Its totals correct the sums of the order for files that were read again. */
  readonly #reader: FileReader
  readonly #opener: FolderOpener
  /** Sums of the order up to the file that `scanned` was called for last. */
  #sums = nothingSummed
  #checked = 0

  constructor(options: TextOptions) {
    this.#options = options
    this.#reader = new FileReader(options.maxBytes)
    this.#opener = new FolderOpener(options.root)
  }

  path(file: Candidate): string {
    return this.#options.table.path(this.#id(file))
  }

  /** The folder of a file, with a slash at its end, and the file's name. */
  names(file: Candidate): { folder: string; name: string } {
    const { table } = this.#options
    const id = this.#id(file)
    return { folder: table.folders[id]?.prefix ?? '', name: table.names[id] as string }
  }

  open(file: Candidate): OpenedText {
    if (!this.isCached(file)) return this.reread(file)
    const { address, length } = this.cached(file)
    return this.#options.kernel.bytes().subarray(address, address + length)
  }

  isStale(file: Candidate): boolean {
    const { root, table, links, onStale } = this.#options
    const id = links.get(this.#id(file)) ?? this.#id(file)
    if (table.contents[id] === nowhere) return false
    if (++this.#checked > maxChecked) return false
    const stats = statsOf(root.folder, table.path(id))
    if (stats !== undefined && isSame(table, id, stats)) return false
    onStale(id)
    return true
  }

  reread(file: Candidate): OpenedText {
    const { table } = this.#options
    const id = this.#id(file)
    // The sums of the order include the characters that the file had; those of the text read now replace them.
    if (table.has(id, FileFlag.known)) this.#reader.chars -= table.chars[id] as number
    return this.#reader.read(this.#openFile(id))
  }

  stamp(file: Candidate): string | undefined {
    const id = this.#id(file)
    return this.isCached(file) ? `${id}.${this.#options.table.generations[id]}` : undefined
  }

  scanned(file: Candidate): Scanned {
    const { range, maxBytes } = this.#options
    const files = file + 1
    const before = files < this.#sums.files ? nothingSummed : this.#sums
    const more = range.sum(before.files, files, maxBytes)
    const chars = before.chars + more.chars
    const skippedLarge = before.skippedLarge + more.skippedLarge
    this.#sums = { files, chars, skippedLarge }
    return {
      files,
      chars: chars + this.#reader.chars,
      skippedLarge: skippedLarge + this.#reader.skippedLarge,
    }
  }

  isCached(file: Candidate): boolean {
    return this.#options.table.contents[this.#id(file)] !== nowhere
  }

  /** The letters of a file have one other case each, so that its bytes can be compared without regard to case. */
  hasPlainCase(file: Candidate): boolean {
    return this.#options.table.has(this.#id(file), FileFlag.plainCase)
  }

  /** Where the content of a cached file lies in the kernel's memory. */
  cached(file: Candidate): ItemText {
    const { table } = this.#options
    const id = this.#id(file)
    const [address, length] = [table.contents[id] as number, table.lengths[id] as number]
    return { address, length, isAscii: table.has(id, FileFlag.ascii) }
  }

  close(): void {
    this.#reader.close()
    this.#opener.close()
  }

  #id(file: Candidate): number {
    return this.#options.range.idAt(file)
  }

  #openFile(id: number): number {
    const { root, table } = this.#options
    const kind = table.kinds[id]
    if (kind === FileKind.link) return openLink(root, table.path(id))
    const folder = table.folders[id]
    if (kind === FileKind.other || folder === undefined) return -1
    return this.#opener.file(folder, table.names[id] as string)
  }
}
