// The snapshot of one index: taken over when the index begins, looked through before the first answer, written
// again when there is time and something changed.
import { closeSync } from 'node:fs'
import { reserve } from '../../kernel/shared-memory.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import type { Folder } from '../folder.ts'
import type { IndexBuilder } from '../index-builder.ts'
import type { SnapshotStats } from '../index-options.ts'
import { columnsOf, rowBytesOf } from '../signature-blocks.ts'
import type { Block } from '../signature-blocks.ts'
import { columnsIn, FolderState } from './columns.ts'
import type { Columns } from './columns.ts'
import { Looker, newLookJob, Seen, seenBy } from './look.ts'
import type { LookJob } from './look.ts'
import { openSnapshot } from './open.ts'
import type { OpenSnapshot } from './open.ts'
import { restoreTree } from './restore.ts'
import { copySnapshot, writeSnapshot } from './save.ts'
import type { SnapshotOf } from './save.ts'

/** With more unknown files than these the index is not worth writing. */
const FEW_PENDING = 64
const MOST_PENDING = 0.05
/** How long nothing must have been asked before the snapshot is written, and how often it is at most. */
const REST_MS = 2000
const LEAST_BETWEEN_MS = 60_000

export interface KeeperOptions extends SnapshotOf {
  /** Absolute; its folder is made when it is needed. */
  file: string
  builder: IndexBuilder
}

/** What has been taken over and not been looked through yet. */
interface Restored {
  job: LookJob
  columns: Columns
  folders: Folder[]
}

export class SnapshotKeeper {
  readonly stats: SnapshotStats
  /** Something of a snapshot is in the index. */
  isTouched = false
  readonly #options: KeeperOptions
  #restored: Restored | undefined
  /** The version of the tree that is in the file. */
  #savedVersion = -1
  #isSaving = false
  #timer: NodeJS.Timeout | undefined
  #savedAtMs = -Infinity

  constructor(options: KeeperOptions) {
    this.#options = options
    this.stats = { file: options.file, restored: 0, written: null }
  }

  /**
   * Takes the snapshot over into an index that is empty. False when there is none that can be trusted; the
   * index may then be half full, and is to be thrown away when `isTouched` says so.
   */
  *restore(): Steps<boolean> {
    const { file, root } = this.#options
    const snapshot = openSnapshot(file, root)
    if (snapshot === undefined) return false
    try {
      return yield* this.#takeOver(snapshot)
    } finally {
      closeSync(snapshot.fd)
    }
  }

  *#takeOver({ fd, header, memory }: OpenSnapshot): Steps<boolean> {
    const { root, kernel, tree, store, builder } = this.#options
    const { at, bytes, sum } = header.signatures
    const address = reserve(kernel.memory, bytes)
    if (address === undefined) return false
    this.isTouched = true
    const loaded = builder.help({ load: { fd, at, bytes, address, sum } })
    const columns = columnsIn(memory, header.lengths)
    const folders = restoreTree(tree, columns)
    store.adopt(blocksAt(address, columns.blockSizes))
    if (!(yield* wait(loaded))) return false
    const job = newLookJob(root.folder.prefix, memory, header.lengths)
    this.#restored = { job, columns, folders }
    return true
  }

  /** There is something to be looked through. */
  get isUnseen(): boolean {
    return this.#restored !== undefined
  }

  /** Looks at everything that was taken over and forgets what is not as it was. */
  *look(): Steps<void> {
    const restored = this.#restored
    if (restored === undefined) return
    this.#restored = undefined
    const { job } = restored
    const helped = this.#options.builder.help({ look: job })
    const looker = new Looker(job, this.#options.tree.table.names)
    while (looker.lookOn()) yield
    yield* wait(helped)
    this.#apply(restored)
  }

  #apply({ job, columns, folders }: Restored): void {
    const { tree } = this.#options
    const seen = seenBy(job)
    const { version } = tree
    // Files first: when folders are read again numbers of files may be given out anew.
    for (const [file, saw] of seen.files.entries()) {
      if (columns.kinds[file] !== FileKind.file || !tree.table.has(file, FileFlag.known)) continue
      if (saw === Seen.same) this.stats.restored++
      else tree.suspect(file)
    }
    for (const [number, saw] of seen.folders.entries()) {
      const folder = folders[number] as Folder
      if (columns.folderStates[number] === FolderState.unread || folder.isGone) continue
      if (saw !== Seen.same && !tree.reread(folder)) tree.updateFolder(folder)
    }
    if (tree.version === version) this.#savedVersion = version
  }

  /** Writes the snapshot when nothing was asked for a while; `run` takes the steps then. */
  saveLater(run: (steps: Steps<void>) => void): void {
    clearTimeout(this.#timer)
    const { tree, clock } = this.#options
    if (this.isUnseen || tree.version === this.#savedVersion) return
    const waitMs = Math.max(REST_MS, this.#savedAtMs + LEAST_BETWEEN_MS - clock.monotonicMs())
    this.#timer = setTimeout(() => run(this.save()), waitMs).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** Writes the snapshot unless the file has it already, or too little is known. */
  *save(): Steps<void> {
    const { tree, file, clock } = this.#options
    if (this.#isSaving || this.isUnseen || tree.isForeign) return
    // Those that are pending will be read again.
    if (tree.pending.size > Math.max(FEW_PENDING, tree.table.count * MOST_PENDING)) return
    if (tree.version === this.#savedVersion) return
    this.#isSaving = true
    try {
      const { version } = tree
      const bytes = yield* copySnapshot(this.#options)
      if (bytes === undefined || !(yield* wait(writeSnapshot(file, bytes)))) return
      this.#savedVersion = version
      this.#savedAtMs = clock.monotonicMs()
      this.stats.written = clock.now().toISOString()
    } finally {
      this.#isSaving = false
    }
  }
}

/** Blocks lie one behind the other, as they were written. */
function blocksAt(start: number, sizes: Uint8Array): Block[] {
  let address = start
  return Array.from(sizes, (size) => {
    const block = { address, size, columns: columnsOf(size) }
    address += rowBytesOf(size) << size
    return block
  })
}
