// The snapshot of one index: taken over when the index begins, looked through before the first answer, written
// again when there is time and something changed.
import { closeSync } from 'node:fs'
import { reserve } from '../../kernel/kernel.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import type { Folder } from '../folder.ts'
import type { IndexBuilder } from '../refresh/refresh.ts'
import type { SnapshotStats } from '../options.ts'
import { columnsOf, rowBytesOf } from '../signatures/signatures.ts'
import type { Block } from '../signatures/signatures.ts'
import { columnsIn, FolderState } from './columns.ts'
import type { ColumnLengths, Columns } from './columns.ts'
import { Looker, newLookJob, Seen, seenBy } from './look.ts'
import type { LookJob } from './look.ts'
import { openSnapshot, readColumns } from './open.ts'
import type { OpenSnapshot } from './open.ts'
import { restoreTree } from './restore.ts'
import { copySnapshot, writeSnapshot } from './save.ts'
import type { SnapshotOf } from './save.ts'

export { snapshotFacts } from './facts.ts'
export type { SnapshotFacts } from './facts.ts'
export { isSnapshotName, snapshotName } from './version.ts'
export { loadPiece } from './load-piece.ts'
export { Looker } from './look.ts'
export type { LookJob } from './look.ts'

/** With more unknown files than these the index is not worth writing. */
const fewPending = 64
const mostPending = 0.05
/** How long nothing must have been asked before the snapshot is written, and how often it is at most. */
const restMs = 2000
const leastBetweenMs = 60_000

export interface KeeperOptions extends SnapshotOf {
  /** Absolute; its folder is made when it is needed. */
  file: string
  builder: IndexBuilder
}

/** What has been taken over and not been looked through yet. */
interface Restored {
  memory: SharedArrayBuffer
  lengths: ColumnLengths
  columns: Columns
  folders: Folder[]
  /** What was seen for the request that the index began with. */
  seen: LookJob | undefined
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
   * index may then be half full, and is to be thrown away when `isTouched` says so. `looks` for a request that
   * is there already: what it has to look at is looked at while the rest is being read.
   */
  *restore(looks: boolean): Steps<boolean> {
    const { file, root } = this.#options
    const snapshot = openSnapshot(file, root)
    if (snapshot === undefined) return false
    try {
      return yield* this.#takeOver(snapshot, looks)
    } finally {
      closeSync(snapshot.fd)
    }
  }

  *#takeOver(snapshot: OpenSnapshot, looks: boolean): Steps<boolean> {
    const { kernel, store, builder } = this.#options
    const { fd, header } = snapshot
    const { at, bytes, sum } = header.signatures
    const address = reserve(kernel.memory, bytes)
    if (address === undefined) return false
    this.isTouched = true
    // It begins while the tree is put together here.
    yield* wait(builder.startOne())
    const loaded = builder.help({ load: { fd, at, bytes, address, sum } })
    const restored = this.#readTree(snapshot)
    if (restored !== undefined) {
      store.adopt(blocksAt(address, restored.columns.blockSizes))
      if (looks) restored.seen = yield* this.#lookAt(restored)
    }
    // In any case: the file has to stay open meanwhile.
    const isLoaded = yield* wait(loaded)
    if (isLoaded) this.#restored = restored
    return this.isUnseen
  }

  #readTree(snapshot: OpenSnapshot): Restored | undefined {
    const memory = readColumns(snapshot)
    if (memory === undefined) return undefined
    const { lengths } = snapshot.header
    const columns = columnsIn(memory, lengths)
    const folders = restoreTree(this.#options.tree, columns)
    return { memory, lengths, columns, folders, seen: undefined }
  }

  /** There is something to be looked through. */
  get isUnseen(): boolean {
    return this.#restored !== undefined
  }

  /**
   * Looks at everything that was taken over and forgets what is not as it was. Only for the request that the
   * index began with (`isFirst`) a look counts that was begun before.
   */
  *look(isFirst: boolean): Steps<void> {
    const restored = this.#restored
    if (restored === undefined) return
    const seen = (isFirst ? restored.seen : undefined) ?? (yield* this.#lookAt(restored))
    // Not before: a request that is cancelled on the way has seen nothing for the next.
    this.#restored = undefined
    this.#apply(restored, seen)
  }

  *#lookAt({ memory, lengths }: Restored): Steps<LookJob> {
    const { root, builder, tree } = this.#options
    const job = newLookJob(root.folder.prefix, memory, lengths)
    const helped = builder.help({ look: job })
    const looker = new Looker(job, tree.table.names)
    while (looker.lookOn()) yield
    yield* wait(helped)
    return job
  }

  #apply({ columns, folders }: Restored, job: LookJob): void {
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
    const waitMs = Math.max(restMs, this.#savedAtMs + leastBetweenMs - clock.monotonicMs())
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
    if (tree.pending.size > Math.max(fewPending, tree.table.count * mostPending)) return
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
