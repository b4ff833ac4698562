// Builds the contents of a run page or an attempt page from evidence. Writes nothing.
import path from 'node:path'
import { pageJson, type PageContents } from '@zee/core/page'
import type { Redactor } from '@zee/core/redact'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { attemptsFolder, labArtifactName } from '@zee/evidence/layout'
import { makeReport, readRunBackground } from '@zee/evidence/report'
import { countRun, judgeAttempt, openRun, passRateOf } from '@zee/evidence/statistics'
import { isWorkedOn, runFolders } from '@zee/evidence/runs'
import type { AttemptFacts, MissionFacts, RunPage, SuiteRunFacts } from '@zee/web/data'
import type { AttemptTarget } from '../attempts/attempts.ts'
import { costOf } from '../cost/cost.ts'
import { attemptFacts } from './attempt-facts.ts'
import { addIntegrity, type Findings } from './integrity.ts'
import { PageBudget } from './page-budget.ts'
import { TextParts } from './text-parts.ts'
import { validateInParallel } from './validate-in-parallel.ts'

const maxRuns = 40

export interface PageMaker {
  madeBy: string
  now(): string
  redactor: Redactor
}

export async function runPage(runFolder: string, maker: PageMaker): Promise<PageContents> {
  const validation = validateInParallel(runFolder)
  const { facts, attempts: readAttempts } = openRun(runFolder)
  const resources = { budget: new PageBudget(), parts: new TextParts() }
  const attempts: AttemptFacts[] = []
  for (const read of readAttempts({ costOf })) {
    const folder = path.join(attemptsFolder(runFolder), read.facts.attemptId)
    const location = { folder, name: read.facts.attemptId, within: runFolder }
    const attempt = attemptFacts(location, read.facts, read.report, resources)
    attempt.costUsd ??= read.facts.costUsd
    attempts.push(attempt)
  }
  const page: RunPage = {
    ...pageHead(maker, `${facts.suiteId || facts.runId} · run`),
    kind: 'run',
    run: {
      runId: facts.runId,
      suiteId: facts.suiteId,
      createdAt: facts.createdAt,
      ...(facts.pinned ? { pinned: true } : {}),
      ...progressOf(runFolder, attempts, Date.parse(maker.now())),
    },
    rate: passRateOf(attempts),
    missions: missionsOf(attempts),
    attempts,
    integrity: [],
    history: suiteHistory(runFolder, facts.suiteId),
  }
  return pageContents(page, resources.parts, await validation, maker)
}

/** The plan of a suite run. A run is running while a process works on its queue and attempts lack an outcome. */
function progressOf(
  runFolder: string,
  attempts: readonly AttemptFacts[],
  nowMs: number,
): Pick<RunPage['run'], 'planned' | 'isRunning'> {
  const read = readJsonArtifact({ path: runFolder, within: runFolder }, labArtifactName.runPlan)
  const planned = read.failure === undefined ? read.value.total : undefined
  if (typeof planned !== 'number') return {}
  const queue = path.join(runFolder, '../../queue', path.basename(runFolder))
  const done = attempts.filter(({ outcome }) => outcome !== 'missing').length
  return { planned, isRunning: (done < planned && isWorkedOn(queue, nowMs)) || undefined }
}

export async function attemptPage(target: AttemptTarget, maker: PageMaker): Promise<PageContents> {
  const validation = validateInParallel(target.folder)
  const background = readRunBackground(target.runFolder)
  const settings = { strictness: 'lenient' as const, computedAt: maker.now(), costOf }
  const { report } = makeReport(target, background, settings)
  const location = { ...target, within: target.runFolder ?? target.folder }
  const judgement = judgeAttempt(report, { path: location.folder, within: location.within })
  const { attemptId, missionId } = report
  const resources = { budget: new PageBudget(), parts: new TextParts() }
  const attempt = attemptFacts(location, { ...judgement, attemptId, missionId }, report, resources)
  const page: RunPage = {
    ...pageHead(maker, `${attempt.attemptId} · attempt`),
    kind: 'attempt',
    run: { runId: report.runId, suiteId: report.suiteId },
    rate: passRateOf([attempt]),
    missions: missionsOf([attempt]),
    attempts: [attempt],
    integrity: [],
  }
  return pageContents(page, resources.parts, await validation, maker)
}

export function pageHead(maker: PageMaker, title: string) {
  return { schemaVersion: 1 as const, title, generatedAt: maker.now(), madeBy: maker.madeBy }
}

function pageContents(
  page: RunPage,
  { parts }: TextParts,
  findings: Findings,
  { redactor }: PageMaker,
): PageContents {
  const { isUnsafe } = addIntegrity(page, findings)
  if (!isUnsafe) return { title: page.title, json: pageJson(page), parts }
  // Evidence is redacted when it is written; if a secret got through, the page must not copy it.
  const clean = (value: unknown): string => pageJson(redactor.value(value).value)
  const texts = parts.map((part) => clean(JSON.parse(part.toString())))
  return { title: page.title, json: clean(page), parts: texts }
}

function missionsOf(attempts: readonly AttemptFacts[]): MissionFacts[] {
  const names = [...new Set(attempts.map(({ missionId }) => missionId))].sort()
  return names.map((missionId) => {
    const missionAttempts = attempts.filter((attempt) => attempt.missionId === missionId)
    const costs = missionAttempts.flatMap(({ costUsd }) => costUsd ?? [])
    return {
      missionId,
      attempts: missionAttempts.length,
      rate: passRateOf(missionAttempts),
      costUsd:
        costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
    }
  })
}

/** The runs of the suite, oldest first, with the run itself. Empty if it is the only one. */
function suiteHistory(runFolder: string, suiteId: string): SuiteRunFacts[] {
  const outRoot = path.dirname(path.dirname(runFolder))
  const runs: SuiteRunFacts[] = []
  for (const folder of runFolders(outRoot)) {
    const { runId, suiteId: suite, createdAt, passed, failed } = countRun(folder)
    if (suite !== suiteId || passed + failed === 0) continue
    runs.push({ runId, createdAt, passed, judged: passed + failed })
    if (runs.length === maxRuns) break
  }
  return runs.length < 2 ? [] : runs.reverse()
}
