// Compares figures with the goals of a case and words the result:
// "zdx exec: wall time at most 500 ms: 457 ms, held".
import { isFunctionVariant, type Case, type Figure, type Goal } from './case.ts'
import { figuresOf } from './figures.ts'
import type { CaseRun } from './run-case.ts'

export interface GoalResult {
  text: string
  held: boolean
}

export function judgeGoals(benchCase: Case, run: CaseRun): GoalResult[] {
  return benchCase.goals.map((goal) => {
    const unit = unitOf(benchCase, goal)
    const value = measuredValue(run, goal)
    const wanted = `${goal.variant}: ${describeLimit(goal, unit)}`
    if (value === undefined) return { text: `${wanted}: not measured`, held: false }
    const held = isHeld(goal, value)
    const measured = `${number(value)}${errorText(run, goal)} ${unit}`
    return { text: `${wanted}: ${measured}, ${held ? 'held' : 'MISSED'}`, held }
  })
}

/** The Monte-Carlo error of an amount that was simulated. */
function errorText(run: CaseRun, { variant, figure }: Goal): string {
  const error = figureOf(run, variant, 'standardError')
  return figure === 'amount' && error !== undefined ? ` ± ${number(error)}` : ''
}

/** The figure, its ratio to the peer's, or how many times faster than the peer it is. */
function measuredValue(run: CaseRun, { variant, figure, peer, timesFaster }: Goal) {
  const value = figureOf(run, variant, figure)
  if (peer === undefined || value === undefined) return value
  const base = figureOf(run, peer, figure)
  if (base === undefined) return undefined
  return timesFaster === undefined ? value / base : base / value
}

function figureOf(
  run: CaseRun,
  name: string,
  figure: Figure | 'standardError',
): number | undefined {
  const measured = run.variants.find((variant) => variant.name === name)?.measured
  return measured === undefined || 'failure' in measured
    ? undefined
    : figuresOf(measured.samples)[figure]
}

function isHeld({ atMost = Infinity, atLeast, timesFaster }: Goal, value: number): boolean {
  return value <= atMost && value >= (atLeast ?? timesFaster ?? -Infinity)
}

/** What the limit and the value are numbers of. */
function unitOf(benchCase: Case, { variant, figure, peer }: Goal): string {
  if (peer !== undefined) return 'x'
  if (figure === 'rss') return 'MiB'
  if (figure === 'cpu' || figure === 'wall') return 'ms'
  const found = benchCase.variants.find(({ name }) => name === variant)
  const unit = found !== undefined && isFunctionVariant(found) ? found.unit : 'units'
  return figure === 'rate' ? `${unit}/s` : unit
}

function describeLimit(goal: Goal, unit: string): string {
  const { atMost, atLeast, timesFaster, peer } = goal
  if (timesFaster === 1) return `at least as fast as ${peer}`
  if (timesFaster !== undefined) return `at least ${number(timesFaster)} x faster than ${peer}`
  const limit =
    atMost === undefined ? `at least ${number(atLeast ?? 0)}` : `at most ${number(atMost)}`
  const figure = figureNames[goal.figure]
  if (peer !== undefined) return `${figure} ${limit} x ${peer}`
  // The unit of a rate or an amount says what is counted.
  const isCounted = goal.figure === 'rate' || goal.figure === 'amount'
  return isCounted ? `${limit} ${unit}` : `${figure} ${limit} ${unit}`
}

const figureNames: Readonly<Record<Figure, string>> = {
  cpu: 'CPU time',
  wall: 'wall time',
  rss: 'peak RSS',
  rate: 'rate',
  amount: 'amount',
}

/** Three significant digits. */
function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
