// One request to a fleet: the repositories it is about, and those that its answer lacks because their shard failed.
import type { CorpusThreads, DenyRules } from '@zee/corpus'
import { loadStoredTrees } from '@zee/corpus'
import type { UncheckedOperation } from '@zee/corpus'
import { ZeeError } from '@zee/core/errors'
import type { Engine, Result } from '../engine/engine.ts'
import { operations } from '../protocol/protocol.ts'
import type { CandidateRow } from './candidates.ts'
import { compareBytes, isShardFailure } from './shards.ts'
import type { FleetRepository, FleetShard, FleetShards, FleetState } from './shards.ts'
import type { FleetTexts } from './texts.ts'

export interface FleetParts {
  shards: FleetShards
  texts: FleetTexts
  threads: CorpusThreads
  deny: DenyRules
}

const maxShownMissing = 1000

export class FleetRequest {
  readonly state: FleetState
  readonly #parts: FleetParts
  readonly #failed = new Set<FleetShard>()
  readonly #missing: Set<string>

  /** `missing` are repositories of shards that were silent at the start. */
  constructor(parts: FleetParts, state: FleetState, missing: readonly string[]) {
    this.#parts = parts
    this.state = state
    this.#missing = new Set(missing)
  }

  hasFailed(shard: FleetShard): boolean {
    return this.#failed.has(shard)
  }

  addMissing(names: readonly string[]): void {
    for (const name of names) this.#missing.add(name)
  }

  /** Undefined if the shard fails; other errors are thrown. */
  async ask<Value>(shard: FleetShard, work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#failed.has(shard)) return undefined
    try {
      return await work()
    } catch (error) {
      if (!isShardFailure(error)) throw error
      this.#failed.add(shard)
      this.#parts.shards.reportFailure(shard, error)
      return undefined
    }
  }

  /** Loads texts that following operations need, in one query. */
  async prefetch(shard: FleetShard, rows: readonly CandidateRow[]): Promise<void> {
    const ids = rows.map(({ blob }) => blob).filter((blob) => blob !== noText)
    await this.ask(shard, () => this.#parts.texts.load(shard, ids))
  }

  /** `partial` and the missing repositories; nothing if all shards answered. */
  fields(): Record<string, unknown> {
    if (this.#missing.size === 0) return {}
    const names = [...this.#missing].sort(compareBytes)
    const shown = names.slice(0, maxShownMissing)
    const total = shown.length === names.length ? {} : { missing_total: names.length }
    return { partial: true, missing: shown, ...total }
  }

  /** An engine over some files of a repository. Contents are loaded when an operation runs. */
  engineOver(
    repository: FleetRepository,
    rows: readonly CandidateRow[],
    { needsTexts = true }: { needsTexts?: boolean } = {},
  ): Engine {
    const { texts, threads, deny } = this.#parts
    const { shard, commit, time, name } = repository
    return {
      run: async (op, args, signal) => {
        const ids = rows.map(({ blob }) => blob).filter((blob) => blob !== noText)
        const contents = needsTexts
          ? await this.ask(shard, () => texts.load(shard, ids))
          : new Map<string, Buffer>()
        if (contents === undefined) {
          this.addMissing([name])
          return emptyResult(op)
        }
        const files = rows.map(({ path, blob }) => ({ path, object: blob }))
        const tree = { commit, time, files, read: (object: string) => contents.get(object) }
        const { openStoredTree } = await loadStoredTrees()
        const stored = await openStoredTree(tree, { threads, deny })
        const method = operations.get(op)?.method
        if (method === undefined) throw new ZeeError('unknown_op', `unknown op: ${op}`)
        const run = stored[method] as UncheckedOperation<unknown>
        const options = signal === undefined ? {} : { signal }
        const { rev: _, ...result } = (await run({ ...args, rev: commit }, options)) as Result
        return result as Result
      },
      close: () => Promise.resolve(),
    }
  }
}

/** The id of the text of a file that has none. */
export const noText = '0'

function emptyResult(op: string): Result {
  const list = operations.get(op)?.counts
  const metrics = { time_ms: 0, bytes_read: 0, files_scanned: 0 }
  return { ...(list === undefined ? {} : { [list]: [] }), truncated: false, metrics }
}
