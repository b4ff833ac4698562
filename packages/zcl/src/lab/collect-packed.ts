// `zcl collect`: attempts that ran elsewhere take their places in the run. Each slot has one answer: an
// attempt that comes twice, or late, changes nothing.
import { promises, statSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { fileError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { isRunId, randomHex } from '@zee/core/ids'
import { withLock } from '@zee/core/lock'
import { zclError } from '@zee/evidence/errors'
import { artifactName, attemptsFolder, parseAttemptId, runFolder } from '@zee/evidence/layout'
import { isAnswer } from '@zee/evidence/outcome'
import { recordedNow } from '../clocks.ts'
import { outRootFor } from '../config.ts'
import { complain, printJson, printLines } from '../output.ts'
import { readPacked, type PackedFile } from './packed-attempt.ts'
import { readPlannedRun, slotOf } from './run-plan.ts'
import { slotState } from './run-slot.ts'
import { summarise, writeSummary } from './run-summary.ts'

interface Collected {
  file: string
  status: 'collected' | 'duplicate' | 'refused'
  runId?: string
  attemptId?: string
  code?: string
  message?: string
}

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
  const runs = [
    ...new Set(results.flatMap(({ status, runId }) => (status === 'refused' ? [] : (runId ?? [])))),
  ]
  const summaries = []
  for (const runId of runs.sort()) {
    const summary = summarise(
      outRoot,
      readPlannedRun(outRoot, runId).plan,
      rfc3339(recordedNow(host)),
    )
    await writeSummary(outRoot, summary)
    const { suiteId, total, passed, failed, infra, pending } = summary
    summaries.push({ runId, suiteId, total, passed, failed, infra, pending })
  }
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
  for (const { file, message } of refused) complain(host, 'ZCL_E_CONTRACT', `${file}: ${message}`)
  return refused.length === 0 ? 0 : 2
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

async function collectOne(file: string, outRoot: string, cwd: string): Promise<Collected> {
  try {
    const files = await readPacked(path.resolve(cwd, file))
    const { runId, attemptId, inner } = checkedNames(files)
    checkIds(inner, runId, attemptId)
    const { plan } = readPlannedRun(outRoot, runId)
    const folder = runFolder(outRoot, runId)
    const status = await withLock(path.join(folder, 'run.lock'), {}, async () => {
      const { index, missionId, retry } = parseAttemptId(attemptId) ?? {
        index: 0,
        missionId: '',
        retry: 0,
      }
      if (slotOf(plan, index).missionId !== missionId || index > plan.total) {
        throw zclError('ZCL_E_ID_MISMATCH', `${attemptId} is not planned in ${runId}`)
      }
      const { next, latest } = slotState(outRoot, runId, { slot: index, missionId })
      if (retry < next || (latest !== undefined && isAnswer(latest.outcome))) return 'duplicate'
      await place(path.join(attemptsFolder(folder), attemptId), folder, inner)
      return 'collected'
    })
    return { file, status, runId, attemptId }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.exitCode === 1) throw error
    return { file, status: 'refused', code: error.code, message: error.message }
  }
}

/** All below one `<runId>/<attemptId>/`, with names that cannot leave it. */
function checkedNames(files: readonly PackedFile[]) {
  const [runId = '', attemptId = ''] = files[0]?.name.split('/') ?? []
  if (!isRunId(runId) || parseAttemptId(attemptId) === undefined) {
    throw zclError('ZCL_E_CONTRACT', 'it does not hold an attempt')
  }
  const prefix = `${runId}/${attemptId}/`
  const inner = files.map(({ name, content }) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (rest === '' || !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,4}$/.test(rest)) {
      throw zclError(
        'ZCL_E_CONTAINMENT',
        `the name ${JSON.stringify(name.slice(0, 80))} is refused`,
      )
    }
    return { name: rest, content }
  })
  return { runId, attemptId, inner }
}

function checkIds(files: readonly PackedFile[], runId: string, attemptId: string): void {
  const own = files.find(({ name }) => name === artifactName.attempt)
  let value: Record<string, unknown>
  try {
    value = JSON.parse(own?.content.toString('utf8') ?? '') as Record<string, unknown>
  } catch {
    throw zclError('ZCL_E_INVALID_JSON', `${artifactName.attempt} is missing or does not parse`)
  }
  if (value?.runId === runId && value.attemptId === attemptId) return
  throw zclError('ZCL_E_ID_MISMATCH', `${artifactName.attempt} belongs to another attempt`)
}

/** Built beside, then renamed: the attempt appears whole. */
async function place(target: string, run: string, files: readonly PackedFile[]): Promise<void> {
  const building = path.join(run, `.starting-${randomHex(6)}`)
  try {
    for (const { name, content } of files) {
      const file = path.join(building, name)
      ensureFolder(path.dirname(file))
      await promises.writeFile(file, content, { mode: 0o600, flush: true })
    }
    await promises.rename(building, target)
  } catch (error) {
    await promises.rm(building, { recursive: true, force: true })
    throw fileError('write', target, error)
  }
}
