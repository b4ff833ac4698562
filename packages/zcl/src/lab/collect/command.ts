// `zcl collect`: attempts that ran elsewhere take their places in the run.
import { promises, statSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { fileError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { recordedNow } from '../../clock/clock.ts'
import { outRootFor } from '../../config/config.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import { readPlannedRun } from '../plan.ts'
import { summarise, writeSummary } from '../summary.ts'
import { collectOne, type Collected } from './collect.ts'

export async function runCollect(
  given: readonly string[],
  options: { outRoot: string | undefined; json: boolean },
  host: Host,
): Promise<number> {
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const results: Collected[] = []
  for (const file of await packedFiles(given, host.cwd)) {
    results.push(await collectOne(file, outRoot, host.cwd))
  }
  const summaries = await closeRuns(results, outRoot, host)
  const refused = results.filter(({ status }) => status === 'refused')
  if (options.json) {
    const count = (status: Collected['status']) =>
      results.filter((each) => each.status === status).length
    printJson(host, {
      ok: refused.length === 0,
      collected: count('collected'),
      duplicates: count('duplicate'),
      refused: refused.length,
      files: results,
      runs: summaries,
    })
  } else {
    printLines(host, [
      ...results.map(({ status, attemptId, file }) => `${status}  ${attemptId ?? file}`),
      ...summaries.map(
        (run) =>
          `${run.runId}  ${run.passed} passed, ${run.failed} failed, ${run.infra} infra, ${run.pending} to come`,
      ),
    ])
  }
  for (const { file, code = 'ZCL_E_CONTRACT', message } of refused) {
    complain(host, code, `${file}: ${message}`)
  }
  return refused.length === 0 ? 0 : 2
}

/** Adds up every run that got something, or had it already. */
async function closeRuns(results: readonly Collected[], outRoot: string, host: Host) {
  const runIds = results.flatMap(({ status, runId }) => (status === 'refused' ? [] : (runId ?? [])))
  const summaries = []
  for (const runId of [...new Set(runIds)].sort()) {
    const { plan } = readPlannedRun(outRoot, runId)
    const summary = summarise(outRoot, plan, rfc3339(recordedNow(host)))
    await writeSummary(outRoot, summary)
    const { suiteId, total, passed, failed, infra, pending } = summary
    summaries.push({ runId, suiteId, total, passed, failed, infra, pending })
  }
  return summaries
}

async function packedFiles(given: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = []
  for (const name of given) {
    const place = path.resolve(cwd, name)
    const stats = statSync(place, { throwIfNoEntry: false })
    if (stats === undefined)
      throw fileError('read', name, Object.assign(new Error(), { code: 'ENOENT' }))
    if (!stats.isDirectory()) files.push(name)
    else {
      const names = (await promises.readdir(place)).filter((each) => each.endsWith('.zcl.tgz'))
      files.push(...names.sort().map((each) => path.join(name, each)))
    }
  }
  return files
}
