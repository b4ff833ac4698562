// The snapshot of one index: restored at the start, verified before the first answer, and saved when the process
// is idle and the index has changed.
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
import { Verifier, createVerifyJob, Verdict, verdictsOf } from './verify.ts'
import type { VerifyJob } from './verify.ts'
import { openSnapshot, readColumns } from './open.ts'
import type { OpenSnapshot } from './open.ts'
import { restoreTree } from './restore.ts'
import { copySnapshot, writeSnapshot } from './save.ts'
import type { SnapshotSource } from './save.ts'

export { snapshotFacts } from './facts.ts'
export type { SnapshotFacts } from './facts.ts'
export { isSnapshotName, snapshotName } from './version.ts'
export { loadSection } from './load-section.ts'
export { Verifier } from './verify.ts'
export type { VerifyJob } from './verify.ts'

/** An index with more pending files than both of these is not worth saving. */
const maxPendingFiles = 64
const maxPendingShare = 0.05
/** Idle time before the snapshot is saved, and minimum time between two saves. */
const idleMs = 2000
const minIntervalMs = 60_000

export interface KeeperOptions extends SnapshotSource {
  /** Absolute; its folder is created on demand. */
  file: string
  builder: IndexBuilder
}

/** A restored snapshot that is not verified yet. */
interface Restored {
  memory: SharedArrayBuffer
  lengths: ColumnLengths
  columns: Columns
  folders: Folder[]
  /** A verification that ran during the restore, valid only for the request that started the index. */
  verified: VerifyJob | undefined
}

export class SnapshotKeeper {
  readonly stats: SnapshotStats
  /** Parts of a snapshot are in the index. */
  hasLoaded = false
  readonly #options: KeeperOptions
  #restored: Restored | undefined
  /** The version of the tree in the file. */
  #savedVersion = -1
  #isSaving = false
  #timer: NodeJS.Timeout | undefined
  #savedAtMs = -Infinity

  constructor(options: KeeperOptions) {
    this.#options = options
    this.stats = { file: options.file, restored: 0, written: null }
  }

  /**
   * Loads the snapshot into an empty index. Returns false if there is no trustworthy snapshot; if `hasLoaded` is
   * then true, the index is incomplete and must be discarded. With `verifies`, for a request that is waiting,
   * verification overlaps with loading.
   */
  *restore(verifies: boolean): Steps<boolean> {
    const { file, root } = this.#options
    const snapshot = openSnapshot(file, root)
    if (snapshot === undefined) return false
    try {
      return yield* this.#load(snapshot, verifies)
    } finally {
      closeSync(snapshot.fd)
    }
  }

  *#load(snapshot: OpenSnapshot, verifies: boolean): Steps<boolean> {
    const { kernel, store, builder } = this.#options
    const { fd, header } = snapshot
    const { at, bytes, sum } = header.signatures
    const address = reserve(kernel.memory, bytes)
    if (address === undefined) return false
    this.hasLoaded = true
    // The thread starts while this one restores the tree.
    yield* wait(builder.startThread())
    const loaded = builder.runJob({ load: { fd, at, bytes, address, sum } })
    const restored = this.#readTree(snapshot)
    if (restored !== undefined) {
      store.adopt(blocksFrom(address, restored.columns.blockSizes))
      if (verifies) restored.verified = yield* this.#runVerification(restored)
    }
    // Always awaited, because the thread reads from the open file.
    const isLoaded = yield* wait(loaded)
    if (isLoaded) this.#restored = restored
    return this.needsVerification
  }

  #readTree(snapshot: OpenSnapshot): Restored | undefined {
    const memory = readColumns(snapshot)
    if (memory === undefined) return undefined
    const { lengths } = snapshot.header
    const columns = columnsIn(memory, lengths)
    const folders = restoreTree(this.#options.tree, columns)
    return { memory, lengths, columns, folders, verified: undefined }
  }

  /** A restored snapshot must be verified. */
  get needsVerification(): boolean {
    return this.#restored !== undefined
  }

  /**
   * Checks everything that was restored and invalidates what has changed. The verification during the restore
   * counts only for the request that started the index (`isFirst`).
   */
  *verify(isFirst: boolean): Steps<void> {
    const restored = this.#restored
    if (restored === undefined) return
    const job =
      (isFirst ? restored.verified : undefined) ?? (yield* this.#runVerification(restored))
    // Cleared only now: a cancelled request must not count as a verification.
    this.#restored = undefined
    this.#apply(restored, job)
  }

  *#runVerification({ memory, lengths }: Restored): Steps<VerifyJob> {
    const { root, builder, tree } = this.#options
    const job = createVerifyJob(root.folder.prefix, memory, lengths)
    const workerDone = builder.runJob({ verify: job })
    const verifier = new Verifier(job, tree.table.names)
    while (verifier.verifyNext()) yield
    yield* wait(workerDone)
    return job
  }

  #apply({ columns, folders }: Restored, job: VerifyJob): void {
    const { tree } = this.#options
    const verdicts = verdictsOf(job)
    const { version } = tree
    // Files first: rereading folders may reuse file ids.
    for (const [file, verdict] of verdicts.files.entries()) {
      if (columns.kinds[file] !== FileKind.file || !tree.table.has(file, FileFlag.known)) continue
      if (verdict === Verdict.same) this.stats.restored++
      else tree.invalidate(file)
    }
    for (const [number, verdict] of verdicts.folders.entries()) {
      const folder = folders[number] as Folder
      if (columns.folderStates[number] === FolderState.unread || folder.isRemoved) continue
      if (verdict !== Verdict.same && !tree.reread(folder)) tree.updateFolder(folder)
    }
    if (tree.version === version) this.#savedVersion = version
  }

  /** Saves the snapshot after an idle time; `run` executes the steps. */
  scheduleSave(run: (steps: Steps<void>) => void): void {
    clearTimeout(this.#timer)
    const { tree, clock } = this.#options
    if (this.needsVerification || tree.version === this.#savedVersion) return
    const waitMs = Math.max(idleMs, this.#savedAtMs + minIntervalMs - clock.monotonicMs())
    this.#timer = setTimeout(() => run(this.save()), waitMs).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** Saves the snapshot unless the file is current or too many files are pending. */
  *save(): Steps<void> {
    const { tree, file, clock } = this.#options
    if (this.#isSaving || this.needsVerification || tree.hasRemoteFiles) return
    if (tree.pending.size > Math.max(maxPendingFiles, tree.table.count * maxPendingShare)) return
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

/** The blocks are adjacent, in the order of the file. */
function blocksFrom(start: number, sizes: Uint8Array): Block[] {
  let address = start
  return Array.from(sizes, (size) => {
    const block = { address, size, columns: columnsOf(size) }
    address += rowBytesOf(size) << size
    return block
  })
}
