// Formats the result of a case: an aligned table with ratios to the first variant, then its goals.
import type { Case, Measured } from './case.ts'
import { figuresOf, type Figures } from './figures.ts'
import { judgeGoals } from './goals.ts'
import type { CaseRun } from './run-case.ts'

export function caseReport(title: string, benchCase: Case, run: CaseRun): string {
  const goals = judgeGoals(benchCase, run).map(({ text }) => `  goal: ${text}`)
  return [`${title}: ${benchCase.question}`, ...table(benchCase, run), ...goals, ''].join('\n')
}

/** The same as JSON data, with every sample. */
export function caseData(benchCase: Case, run: CaseRun) {
  return {
    name: benchCase.name,
    question: benchCase.question,
    variants: run.variants.map(({ name, measured }) =>
      'failure' in measured
        ? { name, failure: measured.failure }
        : { name, figures: figuresOf(measured.samples), samples: measured.samples },
    ),
    goals: judgeGoals(benchCase, run),
  }
}

function table(benchCase: Case, run: CaseRun): string[] {
  const unit = benchCase.variants.map((variant) => ('unit' in variant ? variant.unit : undefined))
  const isAmountGoal = benchCase.goals.some(({ figure }) => figure === 'amount')
  const hasRate = !isAmountGoal && run.variants.some(({ measured }) => hasAmount(measured))
  const head = ['variant', 'cpu ms', 'x', 'wall min ms', 'x', 'wall median ms', 'rss MiB', 'x']
  const rows = [hasRate ? [...head, 'rate', 'x', 'per CPU second'] : head]
  const failures: string[] = []
  const first = run.variants[0]?.measured
  const base = first === undefined || 'failure' in first ? undefined : figuresOf(first.samples)
  for (const [index, { name, measured }] of run.variants.entries()) {
    if ('failure' in measured) failures.push(`  ${name} failed: ${measured.failure}`)
    else rows.push(row(name, figuresOf(measured.samples), base, unit[index], hasRate))
  }
  return [...align(rows), ...failures]
}

/** Variants that take their own measurements may report only times. */
function hasAmount(measured: Measured): boolean {
  return 'samples' in measured && measured.samples.some(({ amount }) => amount !== undefined)
}

function row(
  name: string,
  own: Figures,
  base: Figures | undefined,
  unit: string | undefined,
  hasRate: boolean,
): string[] {
  const cells = [
    name,
    shortNumber(own.cpu),
    ratio(own.cpu, base?.cpu),
    shortNumber(own.wall),
    ratio(own.wall, base?.wall),
    shortNumber(own.wallMedian),
    own.rss === undefined ? '-' : shortNumber(own.rss),
    ratio(own.rss, base?.rss),
  ]
  if (!hasRate) return cells
  const rates = [rateText(own.rate, `${unit}/s`), ratio(own.rate, base?.rate)]
  return [...cells, ...rates, rateText(own.ratePerCpu, `${unit}`)]
}

function ratio(value: number | undefined, base: number | undefined): string {
  return value === undefined || base === undefined ? '-' : (value / base).toFixed(2)
}

function rateText(rate: number | undefined, unit: string): string {
  return rate === undefined ? '-' : `${Math.round(rate).toLocaleString('en')} ${unit}`
}

function shortNumber(value: number): string {
  if (value >= 1000) return String(Math.round(value))
  return value.toFixed(value < 10 ? 2 : 1)
}

/** Variant names are left-aligned, figures right-aligned. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  return rows.map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths?.[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${padded.join('  ')}`.trimEnd()
  })
}
