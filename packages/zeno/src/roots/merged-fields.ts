// Merges the fields of the answers of several roots besides their lists: flags, counts, exclusions and metrics.
import { isObject } from '@zee/core/json'
import type { Result } from '../engine/engine.ts'

type Fields = Record<string, unknown>

const flags = ['truncated', 'scan_limited', 'partial'] as const
const counts = ['count', 'skipped_large', 'skipped_denied', 'skipped_binary', 'unreadable'] as const
const summedMetrics = ['bytes_read', 'files_scanned', 'hits', 'symbols', 'references'] as const

interface Excluded {
  folders: number
  files: number
  by: string[]
}

export class MergedFields {
  readonly #results: { name: string; result: Result }[] = []

  get isEmpty(): boolean {
    return this.#results.length === 0
  }

  add(name: string, result: Result): void {
    this.#results.push({ name, result })
  }

  /** `truncated` is present if a root has it; other flags and counts only where they say something. */
  fields(): Fields {
    const merged: Fields = {}
    const results = this.#results.map(({ result }) => result)
    for (const flag of flags) {
      const values = new Set(results.map((result) => result[flag]))
      if (values.has(true)) merged[flag] = true
      else if (values.has(false)) merged[flag] = false
    }
    for (const count of counts) {
      if (results.some((result) => typeof result[count] === 'number')) {
        merged[count] = sum(results.map((result) => result[count]))
      }
    }
    const excluded = results.flatMap((result) =>
      isObject(result.excluded) ? [result.excluded as unknown as Excluded] : [],
    )
    if (excluded.length > 0) merged.excluded = mergeExcluded(excluded)
    const [first, ...others] = results
    const certificate = others.length === 0 ? first?.certificate : undefined
    return {
      ...merged,
      ...this.#revisions(),
      ...(certificate === undefined ? {} : { certificate }),
    }
  }

  /** Time is that of the whole request. */
  metrics(timeMs: number): Result['metrics'] {
    const all = this.#results.map(({ result }) => result.metrics)
    const metrics: Result['metrics'] = { time_ms: Math.max(0, Math.floor(timeMs)) }
    for (const name of [...summedMetrics, 'lines_returned']) {
      if (name === 'bytes_read' || name === 'files_scanned' || all.some((one) => name in one)) {
        metrics[name] = sum(all.map((one) => one[name]))
      }
    }
    const fresh = new Set(all.flatMap((one) => (one.fresh === undefined ? [] : [one.fresh])))
    if (fresh.size > 0) metrics.fresh = fresh.has('sweep') ? 'sweep' : 'watch'
    return metrics
  }

  /** `rev` of a single root, `revs` by name of several. */
  #revisions(): Fields {
    const revs = this.#results.flatMap(({ name, result }) =>
      typeof result.rev === 'string' ? [[name, result.rev] as const] : [],
    )
    const [first, ...others] = revs
    if (first === undefined) return {}
    return others.length === 0 ? { rev: first[1] } : { revs: Object.fromEntries(revs) }
  }
}

function mergeExcluded(all: readonly Excluded[]): Excluded {
  return {
    folders: sum(all.map(({ folders }) => folders)),
    files: sum(all.map(({ files }) => files)),
    by: [...new Set(all.flatMap(({ by }) => by))].sort(),
  }
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + (typeof value === 'number' ? value : 0), 0)
}
