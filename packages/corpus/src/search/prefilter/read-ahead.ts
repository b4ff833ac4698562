// The files ahead of a search in path order, prefiltered by threads and by the main thread.
import type { CorpusRoot } from '../../root/root.ts'
import { FileBatch } from '../file-batch.ts'
import { emptyPrefiltered, splitNames } from './jobs.ts'
import type { Prefiltered, PrefilterJob } from './jobs.ts'
import { prefilterBatch } from './filter-files.ts'
import { FilteredBatch } from './filtered-batch.ts'
import type { PrefilterPool } from './prefilter.ts'

/** Consecutive files that one thread prefilters. */
interface Piece {
  /** Undefined until the thread is done. */
  filtered: Prefiltered | undefined
  /** Resolves when it is. */
  pending: Promise<unknown> | undefined
  /** Paths of the kept files. */
  paths(filtered: Prefiltered): string[]
}

/** Files that the main thread prefiltered. */
interface OwnPiece extends Piece {
  filtered: Prefiltered
  keptPaths: string[]
}

/** How far threads read ahead, in pieces of about `pieceFiles` files. */
const maxPieces = 32
export const pieceFiles = 256
/** Kept files are read twice: with a larger share of them, reading ahead costs more than it saves. */
const maxKeptShare = 1 / 8
/** Files before that share is judged. */
const minFiles = 2048

export class ReadAhead {
  readonly #root: CorpusRoot
  readonly #pool: PrefilterPool
  readonly #pieces: Piece[] = []
  /** The last piece, while it is the main thread's and may grow. */
  #ownPiece: OwnPiece | undefined
  /** Holds the kept files, one at a time. */
  readonly #file: FileBatch
  #files = 0
  #kept = 0

  constructor(root: CorpusRoot, pool: PrefilterPool, maxBytes: number) {
    this.#root = root
    this.#pool = pool
    this.#file = new FileBatch(maxBytes)
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get isFull(): boolean {
    return this.#pieces.length >= maxPieces
  }

  get isWorthwhile(): boolean {
    return this.#files < minFiles || this.#kept <= this.#files * maxKeptShare
  }

  get canAssign(): boolean {
    return this.isWorthwhile && !this.isFull && this.#pool.hasRoom
  }

  /** Lets a thread prefilter the next files. Requires `canAssign`. */
  assign(job: PrefilterJob): void {
    const piece: Piece = {
      filtered: undefined,
      pending: undefined,
      paths: ({ kept }) => (kept.length === 0 ? [] : pathsOf(job, kept)),
    }
    piece.pending = this.#pool.run(job).then((filtered) => (piece.filtered = filtered))
    this.#pieces.push(piece)
    this.#ownPiece = undefined
  }

  /** Prefilters the next files, which the main thread has read into a batch, and clears the batch. */
  addOwn(batch: FileBatch): void {
    if (this.#ownPiece === undefined || this.#ownPiece.filtered.files >= pieceFiles) {
      this.#ownPiece = this.#newOwnPiece()
    }
    const { filtered, keptPaths } = this.#ownPiece
    prefilterBatch(batch, filtered, keptPaths)
  }

  #newOwnPiece(): OwnPiece {
    const keptPaths: string[] = []
    const filtered = emptyPrefiltered()
    const piece = { filtered, keptPaths, pending: undefined, paths: () => keptPaths }
    this.#pieces.push(piece)
    return piece
  }

  /** The next files; undefined until they are prefiltered. */
  next(): FilteredBatch | undefined {
    const [{ filtered, paths } = {}] = this.#pieces
    if (filtered === undefined || paths === undefined) return undefined
    if (this.#pieces.shift() === this.#ownPiece) this.#ownPiece = undefined
    this.#files += filtered.files
    this.#kept += filtered.kept.length
    return new FilteredBatch(this.#root, filtered, paths(filtered), this.#file)
  }

  /** Resolves when `next` has files. */
  get pending(): Promise<unknown> | undefined {
    return this.#pieces[0]?.pending
  }

  close(): void {
    this.#file.close()
    void this.#pool.close()
  }
}

function pathsOf({ folders }: PrefilterJob, kept: readonly number[]): string[] {
  const paths = folders.flatMap(({ prefix, names }) =>
    splitNames(names).map((name) => prefix + name),
  )
  return kept.map((number) => paths[number] as string)
}
