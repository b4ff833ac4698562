// The files ahead of a search, in order, sifted by threads and by the thread that answers in turn.
import type { CorpusRoot } from '../../root/root.ts'
import { FileBatch } from '../file-batch.ts'
import { emptyPrefiltered, namesIn } from './jobs.ts'
import type { Prefiltered, PrefilterJob } from './jobs.ts'
import { prefilterBatch } from './filter-files.ts'
import { FilteredBatch } from './filtered-batch.ts'
import type { PrefilterPool } from './prefilter.ts'

interface Piece {
  /** Undefined until it is known; `coming` ends then. */
  sifted: Prefiltered | undefined
  coming: Promise<unknown> | undefined
  paths(sifted: Prefiltered): string[]
}

/** Files that were read here. */
interface OwnPiece extends Piece {
  sifted: Prefiltered
  known: string[]
}

/** How far ahead of the answer files are read, in pieces of about so many. */
const mostPieces = 32
export const pieceFiles = 256
/** Files that are kept are read twice; with more than this share of them, threads are of no use. */
const mostKept = 1 / 8
const fewFiles = 2048

export class ReadAhead {
  readonly #root: CorpusRoot
  readonly #sifters: PrefilterPool
  readonly #pieces: Piece[] = []
  /** The last of them, while it may grow. */
  #own: OwnPiece | undefined
  /** Holds what was kept, one file after the other. */
  readonly #file: FileBatch
  #files = 0
  #kept = 0

  constructor(root: CorpusRoot, sifters: PrefilterPool, maxBytes: number) {
    this.#root = root
    this.#sifters = sifters
    this.#file = new FileBatch(maxBytes)
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get isFull(): boolean {
    return this.#pieces.length >= mostPieces
  }

  get pays(): boolean {
    return this.#files < fewFiles || this.#kept <= this.#files * mostKept
  }

  get wantsJob(): boolean {
    return this.pays && !this.isFull && this.#sifters.hasRoom
  }

  /** Has the next files sifted by a thread. */
  give(job: PrefilterJob): void {
    const piece: Piece = {
      sifted: undefined,
      coming: undefined,
      paths: ({ kept }) => (kept.length === 0 ? [] : pathsOf(job, kept)),
    }
    piece.coming = this.#sifters.sift(job).then((sifted) => (piece.sifted = sifted))
    this.#pieces.push(piece)
    this.#own = undefined
  }

  /** Takes over the next files from a batch that was read here, and clears it. */
  take(batch: FileBatch): void {
    if (this.#own === undefined || this.#own.sifted.files >= pieceFiles) this.#addOwn()
    const { sifted, known } = this.#own as OwnPiece
    prefilterBatch(batch, sifted, known)
  }

  #addOwn(): void {
    const known: string[] = []
    const piece = { sifted: emptyPrefiltered(), known, coming: undefined, paths: () => known }
    this.#own = piece
    this.#pieces.push(piece)
  }

  /** The next files, as soon as they are sifted. */
  next(): FilteredBatch | undefined {
    const [{ sifted, paths } = {}] = this.#pieces
    if (sifted === undefined || paths === undefined) return undefined
    if (this.#pieces.shift() === this.#own) this.#own = undefined
    this.#files += sifted.files
    this.#kept += sifted.kept.length
    return new FilteredBatch(this.#root, sifted, paths(sifted), this.#file)
  }

  /** Ends when there is something next. */
  get pending(): Promise<unknown> | undefined {
    return this.#pieces[0]?.coming
  }

  close(): void {
    this.#file.close()
    void this.#sifters.close()
  }
}

function pathsOf({ folders }: PrefilterJob, kept: readonly number[]): string[] {
  const paths = folders.flatMap(({ prefix, names }) => namesIn(names).map((name) => prefix + name))
  return kept.map((number) => paths[number] as string)
}
