// `zcl stats`: pass rates and costs of the missions in the given runs.
import type { Host } from '@zee/core/exit'
import { statisticsOf } from '@zee/evidence/statistics'
import { printJson, printLines } from '../../output/output.ts'
import { readRuns } from '../read-runs.ts'
import { describeStatistics } from './stats.ts'

export interface StatsOptions {
  k: readonly number[]
  seed: number
  resamples: number
  json: boolean
}

export async function runStats(
  names: readonly string[],
  options: StatsOptions,
  host: Host,
): Promise<number> {
  const runs = await readRuns(names, host)
  const { k: ks, seed, resamples } = options
  const attempts = runs.flatMap((run) => run.attempts)
  const suites = statisticsOf(attempts, { ks, seed, resamples })
  if (options.json) {
    const runIds = runs.map(({ runId }) => runId)
    printJson(host, { ok: true, schemaVersion: 1, runIds, settings: { seed, resamples }, suites })
    return 0
  }
  printLines(host, describeStatistics(suites, host))
  return 0
}
