// The parts of a search over a fleet, in the order of the repositories' names. Rare texts are looked up once in each
// shard; for common texts, repositories are asked in batches until the answer is full.
import type { Args, Part } from '../roots/roots.ts'
import { allFiles, candidatesIn, rareCandidates } from './candidates.ts'
import type { CandidateRow, Condition } from './candidates.ts'
import type { FleetRequest } from './request.ts'
import { compareBytes } from './shards.ts'
import type { FleetRepository, FleetShard } from './shards.ts'

export interface Selected {
  repository: FleetRepository
  /** The arguments for this repository. */
  args: Args
}

export interface SearchOptions {
  /** Undefined if every text may match. */
  condition: Condition | undefined
  /** The operation needs only the names of files. */
  isListing?: boolean
}

/** Bytes of the texts of one part: they are in memory together. */
const partBytes = 8 << 20
const firstBatch = 8
const maxBatch = 64
/** Bytes of texts that are loaded ahead, at first and at most. */
const firstAhead = 512 << 10
const maxAhead = 4 << 20

export async function* searchParts(
  request: FleetRequest,
  selected: readonly Selected[],
  options: SearchOptions,
): AsyncGenerator<Part> {
  const rows = new RowSource(request, selected, options)
  await rows.lookUpRareTexts()
  for (const [at, { repository, args }] of selected.entries()) {
    const found = await rows.of(at)
    if (found === undefined) continue
    if (options.isListing !== true) await rows.loadAhead(at)
    for (const group of groupsOf(found)) {
      const needsTexts = options.isListing !== true
      const engine = request.engineOver(repository, group, { needsTexts })
      yield { root: { name: repository.name, engine }, args }
    }
  }
}

/** Finds the rows of each repository. */
class RowSource {
  readonly #request: FleetRequest
  readonly #selected: readonly Selected[]
  readonly #options: SearchOptions
  readonly #rows = new Map<FleetRepository, CandidateRow[]>()
  /** Shards whose rows are all known. */
  readonly #complete = new Set<FleetShard>()
  readonly #batches = new Map<FleetShard, number>()
  readonly #ahead = new Map<FleetShard, number>()
  readonly #loaded = new Set<FleetRepository>()

  constructor(request: FleetRequest, selected: readonly Selected[], options: SearchOptions) {
    this.#request = request
    this.#selected = selected
    this.#options = options
  }

  async lookUpRareTexts(): Promise<void> {
    const { condition } = this.#options
    if (condition === undefined) return
    const shards = new Set(this.#selected.map(({ repository }) => repository.shard))
    await Promise.all([...shards].map((shard) => this.#lookUp(shard, condition)))
  }

  /** The rows of a repository; undefined if there are none, or if its shard failed. */
  async of(at: number): Promise<CandidateRow[] | undefined> {
    const { repository } = this.#selected[at] as Selected
    const { shard, name } = repository
    if (!this.#complete.has(shard) && !this.#rows.has(repository)) await this.#readBatch(at)
    const rows = this.#rows.get(repository)
    const isKnown = this.#complete.has(shard) || rows !== undefined
    if (this.#request.hasFailed(shard) && (!isKnown || (rows ?? []).length > 0)) {
      this.#request.addMissing([name])
      return undefined
    }
    return rows === undefined || rows.length === 0 ? undefined : rows
  }

  /** Loads the texts of this repository and of following ones of its shard, more each time. */
  async loadAhead(at: number): Promise<void> {
    const { repository: first } = this.#selected[at] as Selected
    const { shard } = first
    if (this.#loaded.has(first)) return
    const limit = this.#ahead.get(shard) ?? firstAhead
    this.#ahead.set(shard, Math.min(maxAhead, limit * 2))
    const rows: CandidateRow[] = []
    let bytes = 0
    for (let next = at; next < this.#selected.length; next++) {
      const { repository } = this.#selected[next] as Selected
      if (repository.shard !== shard) continue
      const own = this.#rows.get(repository)
      // The rows of later repositories are not known yet.
      if (own === undefined) break
      bytes += own.reduce((sum, row) => sum + row.bytes, 0)
      if (bytes > limit) break
      this.#loaded.add(repository)
      rows.push(...own)
    }
    if (rows.length > 0) await this.#request.prefetch(shard, rows)
  }

  async #lookUp(shard: FleetShard, condition: Condition): Promise<void> {
    const rows = await this.#request.ask(shard, async () => ({
      found: await rareCandidates(shard, condition),
    }))
    const own = this.#selected.filter(({ repository }) => repository.shard === shard)
    if (rows === undefined) this.#request.addMissing(own.map(({ repository }) => repository.name))
    if (rows?.found === undefined) return
    this.#add(own, rows.found)
    this.#complete.add(shard)
  }

  /** Reads the rows of the next repositories of the same shard, more each time. */
  async #readBatch(at: number): Promise<void> {
    const { shard } = (this.#selected[at] as Selected).repository
    const size = this.#batches.get(shard) ?? firstBatch
    this.#batches.set(shard, Math.min(maxBatch, size * 2))
    const batch: Selected[] = []
    for (let next = at; next < this.#selected.length && batch.length < size; next++) {
      const each = this.#selected[next] as Selected
      if (each.repository.shard === shard) batch.push(each)
    }
    const ids = batch.map(({ repository }) => repository.id)
    const { condition, isListing } = this.#options
    const rows = await this.#request.ask(shard, () =>
      isListing === true ? allFiles(shard, ids) : candidatesIn(shard, ids, condition),
    )
    if (rows !== undefined) this.#add(batch, rows)
  }

  #add(repositories: readonly Selected[], rows: readonly CandidateRow[]): void {
    const byId = new Map(repositories.map(({ repository }) => [repository.id, repository]))
    for (const { repository } of repositories) this.#rows.set(repository, [])
    for (const row of rows) {
      const repository = byId.get(row.repository)
      if (repository !== undefined) this.#rows.get(repository)?.push(row)
    }
  }
}

/** Rows in path order, in groups whose texts fit into memory. */
function* groupsOf(rows: readonly CandidateRow[]): Generator<CandidateRow[]> {
  const sorted = rows.toSorted((a, b) => compareBytes(a.path, b.path))
  let group: CandidateRow[] = []
  let bytes = 0
  for (const row of sorted) {
    if (group.length > 0 && bytes + row.bytes > partBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(row)
    bytes += row.bytes
  }
  if (group.length > 0) yield group
}
