// Assembles a trajectory: the steps of a trace, the files they touched, the claims and the totals.
import type { Clock } from '@zee/core/clock'
import type { BudgetFacts, StepFacts, TrajectoryPage, TrajectoryTotals } from '@zee/web/data'
import { openCorpusEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine.ts'
import { collectClaims } from './claims.ts'
import { touchedFiles, type TouchedFiles } from './touched-files.ts'
import { readTrace, type TraceReading } from './trace-steps.ts'

export interface TrajectorySource {
  /** All absolute. */
  log: string
  root: string | undefined
  evidence: string | undefined
  claims: string | undefined
  clock: Clock
}

type TrajectoryContent = Omit<
  TrajectoryPage,
  'schemaVersion' | 'kind' | 'title' | 'generatedAt' | 'madeBy' | 'log' | 'root'
>

const maxSteps = 50_000

export async function buildTrajectory(source: TrajectorySource): Promise<TrajectoryContent> {
  const trace = readTrace(source.log)
  const { root, log, clock } = source
  const engine = root === undefined ? undefined : openCorpusEngine({ root, omit: [log], clock })
  try {
    const files = await touchedFiles(trace.requests, engine)
    return {
      ...timesOf(trace.steps),
      totals: totalsOf(trace, files),
      budgets: budgetsOf(trace.costs),
      steps: trace.steps.slice(0, maxSteps),
      stepsLeftOut: Math.max(0, trace.steps.length - maxSteps),
      files: files.files,
      filesLeftOut: files.leftOut,
      claims: await collectClaims(trace, source, engine),
      badLines: trace.badLines,
    }
  } finally {
    await (engine as Engine | undefined)?.close()
  }
}

function timesOf(steps: readonly StepFacts[]): Pick<TrajectoryContent, 'startedAt' | 'endedAt'> {
  return { startedAt: steps[0]?.at, endedAt: steps.at(-1)?.at }
}

function totalsOf({ steps, requests }: TraceReading, { files }: TouchedFiles): TrajectoryTotals {
  const inState = (...states: string[]) =>
    files.filter(({ state }) => states.includes(state)).length
  const sum = (pick: (step: StepFacts) => number | undefined) =>
    steps.reduce((total, step) => total + (pick(step) ?? 0), 0)
  return {
    requests: requests.length,
    errors: steps.filter(({ ok }) => ok === false).length,
    truncated: steps.filter(({ truncated }) => truncated === true).length,
    filesListed: inState('listed', 'matched', 'read'),
    filesMatched: inState('matched', 'read'),
    filesRead: inState('read'),
    linesRead: requests.reduce((total, { spent }) => total + spent.lines, 0),
    bytesRead: sum(({ bytes }) => bytes),
    ms: sum(({ ms }) => ms),
    subcalls: steps.filter(({ kind, name }) => kind === 'subcall' && name === 'subcall_start')
      .length,
    deepest: steps.reduce((max, { depth }) => Math.max(max, depth), 0),
  }
}

const budgetNames = { ops: 'requests', lines: 'lines read', hits: 'grep hits' } as const

/** A trace records the remaining budget, not the limit: the limit is the first remainder plus its cost. */
function budgetsOf(costs: TraceReading['costs']): BudgetFacts[] {
  const used = { ops: 0, lines: 0, hits: 0 }
  const limits: Partial<Record<keyof typeof used, number>> = {}
  const left: Partial<Record<keyof typeof used, number>> = {}
  const kinds = ['ops', 'lines', 'hits'] as const
  for (const { spent, budgetLeft } of costs) {
    for (const kind of kinds) used[kind] += spent[kind]
    for (const kind of kinds) {
      const remaining = budgetLeft?.[kind]
      if (remaining === undefined) continue
      limits[kind] ??= remaining + used[kind]
      left[kind] = remaining
    }
  }
  return kinds.map((kind) => {
    const limit = limits[kind]
    const rest = left[kind]
    if (limit === undefined || rest === undefined)
      return { name: budgetNames[kind], used: used[kind] }
    return { name: budgetNames[kind], used: limit - rest, limit }
  })
}
