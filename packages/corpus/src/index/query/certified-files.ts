// Certificates from the index: leaves are cached per file and the root per selection, so that a certificate for an
// unchanged tree costs no hashing.
import { closeSync, fstatSync } from 'node:fs'
import type { Kernel } from '../../kernel/kernel.ts'
import { digestBytes, digestOfFile, leafOf, merkleRoot, sha256Of } from '../../merkle/merkle.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { CertifiedFiles, SearchRequest } from '../../search/search.ts'
import type { Steps } from '../../steps.ts'
import { openLink } from '../../walk/walk.ts'
import type { ExcludedCount } from '../../walk/walk.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import { FolderOpener } from '../tree/tree.ts'
import type { FolderTree, LinkTargets } from '../tree/tree.ts'
import type { SelectedOrder } from './selected-order.ts'

type FileSet = Omit<CertifiedFiles, 'excluded'>

interface CachedSet {
  certified: CertifiedFiles
  version: number
  maxBytes: number
  maxFiles: number
}

interface Content {
  digest: Buffer
  bytes: number
}

/** Bytes hashed between two yields to the event loop. */
const turnBytes = 1 << 20

export class CertifiedSets {
  readonly #root: CorpusRoot
  readonly #tree: FolderTree
  readonly #links: LinkTargets
  readonly #kernel: Kernel
  readonly #sets = new WeakMap<SelectedOrder, CachedSet>()
  /** By file id: the leaf, its number of bytes, and the generation plus one for which it is valid. */
  #leaves = Buffer.alloc(0)
  #bytes = new Float64Array(0)
  #generations = new Float64Array(0)

  constructor(root: CorpusRoot, tree: FolderTree, links: LinkTargets, kernel: Kernel) {
    this.#root = root
    this.#tree = tree
    this.#links = links
    this.#kernel = kernel
  }

  /** The files of an unchanged tree; undefined if they must be hashed. */
  cached(
    order: SelectedOrder,
    excluded: ExcludedCount,
    { maxBytes, selection }: SearchRequest,
  ): CertifiedFiles | undefined {
    const cached = this.#sets.get(order)
    const { version, pending } = this.#tree
    if (cached?.version !== version || pending.size > 0) return undefined
    if (cached.maxBytes !== maxBytes || cached.maxFiles !== selection.maxFiles) return undefined
    // The same object for the same files: the caller caches what it derives from it.
    if (cached.certified.excluded === excluded) return cached.certified
    return { ...cached.certified, excluded }
  }

  *certify(
    order: SelectedOrder,
    excluded: ExcludedCount,
    request: SearchRequest,
  ): Steps<CertifiedFiles> {
    const { maxBytes, selection } = request
    const { version } = this.#tree
    const { set, isCacheable } = yield* this.#build(order, request, excluded.denied)
    const certified = { ...set, excluded }
    const { maxFiles } = selection
    if (isCacheable) this.#sets.set(order, { certified, version, maxBytes, maxFiles })
    return certified
  }

  *#build(
    order: SelectedOrder,
    { maxBytes, selection }: SearchRequest,
    denied: number,
  ): Steps<{ set: FileSet; isCacheable: boolean }> {
    const count = Math.min(order.length, selection.maxFiles)
    const leaves = Buffer.allocUnsafe(count * digestBytes)
    const set = { files: 0, bytes: 0, root: '', skippedLarge: 0, unreadable: -denied }
    const opener = new FolderOpener(this.#root)
    let isCacheable = this.#tree.pending.size === 0
    let turn = 0
    this.#grow()
    try {
      for (let position = 0; position < count; position++) {
        const id = order.idAt(position)
        isCacheable &&= !this.#isUnresolvedLink(id)
        const isKnown = this.#isCurrent(id)
        const content = isKnown ? (this.#bytes[id] as number) : this.#hash(id, maxBytes, opener)
        if (content === undefined) set.unreadable++
        else if (content > maxBytes) set.skippedLarge++
        else {
          this.#leaves.copy(
            leaves,
            set.files * digestBytes,
            id * digestBytes,
            (id + 1) * digestBytes,
          )
          set.files++
          set.bytes += content
          if (!isKnown) turn += content + 256
        }
        if (turn < turnBytes) continue
        turn = 0
        yield
      }
    } finally {
      opener.close()
    }
    set.root = merkleRoot(leaves.subarray(0, set.files * digestBytes))
    return { set, isCacheable }
  }

  /** The target of such a link can change without a change of the tree. */
  #isUnresolvedLink(id: number): boolean {
    return this.#tree.table.kinds[id] === FileKind.link && !this.#links.targets.has(id)
  }

  #isCurrent(id: number): boolean {
    const { table } = this.#tree
    if (table.kinds[id] !== FileKind.file || !table.has(id, FileFlag.known)) return false
    return this.#generations[id] === (table.generations[id] as number) + 1
  }

  /** Hashes a file into its leaf. Returns its bytes, more than `maxBytes` if it is too large. */
  #hash(id: number, maxBytes: number, opener: FolderOpener): number | undefined {
    const { table } = this.#tree
    const content = this.#read(id, maxBytes, opener)
    if (content === undefined || content === 'large') return content && Infinity
    leafOf(table.path(id), content.digest).copy(this.#leaves, id * digestBytes)
    this.#bytes[id] = content.bytes
    this.#generations[id] = (table.generations[id] as number) + 1
    return content.bytes
  }

  #read(id: number, maxBytes: number, opener: FolderOpener): Content | 'large' | undefined {
    const { table } = this.#tree
    if (table.contents[id] !== nowhere) {
      const [address, length] = [table.contents[id] as number, table.lengths[id] as number]
      if (length > maxBytes) return 'large'
      const bytes = this.#kernel.bytes().subarray(address, address + length)
      return { digest: sha256Of(bytes), bytes: length }
    }
    const fd = this.#open(id, opener)
    if (fd === -1) return undefined
    try {
      const stats = fstatSync(fd)
      if (!stats.isFile()) return undefined
      return stats.size > maxBytes ? 'large' : (digestOfFile(fd, maxBytes) ?? 'large')
    } catch {
      return undefined
    } finally {
      closeSync(fd)
    }
  }

  #open(id: number, opener: FolderOpener): number {
    const { table } = this.#tree
    if (table.kinds[id] === FileKind.link) return openLink(this.#root, table.path(id))
    const folder = table.folders[id]
    if (table.kinds[id] === FileKind.other || folder === undefined) return -1
    return opener.file(folder, table.names[id] as string)
  }

  #grow(): void {
    const size = this.#tree.table.names.length
    if (this.#generations.length >= size) return
    const capacity = Math.max(1024, size + (size >> 1))
    const leaves = Buffer.alloc(capacity * digestBytes)
    this.#leaves.copy(leaves)
    this.#leaves = leaves
    const bytes = new Float64Array(capacity)
    bytes.set(this.#bytes)
    this.#bytes = bytes
    const generations = new Float64Array(capacity)
    generations.set(this.#generations)
    this.#generations = generations
  }
}
