// `zcl collect`: adds attempts that ran on other machines to their runs.
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
  targets: readonly string[],
  options: { outRoot: string | undefined; json: boolean },
  host: Host,
): Promise<number> {
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const results: Collected[] = []
  for (const file of await listPackedFiles(targets, host.cwd)) {
    results.push(await collectOne(file, outRoot, host.cwd))
  }
  const summaries = await writeSummaries(results, outRoot, host)
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
          `${run.runId}  ${run.passed} passed, ${run.failed} failed, ${run.infra} infra, ${run.pending} pending`,
      ),
    ])
  }
  for (const { file, code = 'ZCL_E_CONTRACT', message } of refused) {
    complain(host, code, `${file}: ${message}`)
  }
  return refused.length === 0 ? 0 : 2
}

/** Rewrites the summary of every run that was named by an accepted file. */
async function writeSummaries(results: readonly Collected[], outRoot: string, host: Host) {
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

async function listPackedFiles(targets: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = []
  for (const name of targets) {
    const resolved = path.resolve(cwd, name)
    const stats = statSync(resolved, { throwIfNoEntry: false })
    if (stats === undefined)
      throw fileError('read', name, Object.assign(new Error(), { code: 'ENOENT' }))
    if (!stats.isDirectory()) files.push(name)
    else {
      const names = (await promises.readdir(resolved)).filter((each) => each.endsWith('.zcl.tgz'))
      files.push(...names.sort().map((each) => path.join(name, each)))
    }
  }
  return files
}
