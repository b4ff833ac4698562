// Prints what was measured: one aligned table for each case with ratios to its first variant.
import type { Case, Measured } from './case.ts'
import { figuresOf, judgeBars, shortNumber, type Figures } from './figures.ts'
import type { CaseRun } from './run-case.ts'

export function caseReport(title: string, benchCase: Case, run: CaseRun): string {
  const bars = judgeBars(benchCase, run).map(({ text }) => `  bar: ${text}`)
  return [`${title}: ${benchCase.question}`, ...table(benchCase, run), ...bars, ''].join('\n')
}

/** The same for machines, with every sample. */
export function caseData(benchCase: Case, run: CaseRun) {
  return {
    name: benchCase.name,
    question: benchCase.question,
    variants: run.variants.map(({ name, measured }) =>
      'failure' in measured
        ? { name, failure: measured.failure }
        : { name, figures: figuresOf(measured.samples), samples: measured.samples },
    ),
    bars: judgeBars(benchCase, run),
  }
}

function table(benchCase: Case, run: CaseRun): string[] {
  const unit = benchCase.variants.map((variant) => ('unit' in variant ? variant.unit : undefined))
  const hasRate = run.variants.some(({ measured }) => hasAmount(measured))
  const head = ['variant', 'cpu ms', 'x', 'wall min ms', 'x', 'wall median ms', 'rss MiB', 'x']
  const rows = [hasRate ? [...head, 'rate', 'x', 'in a CPU second'] : head]
  const failures: string[] = []
  const first = run.variants[0]?.measured
  const base = first === undefined || 'failure' in first ? undefined : figuresOf(first.samples)
  for (const [index, { name, measured }] of run.variants.entries()) {
    if ('failure' in measured) failures.push(`  ${name} failed: ${measured.failure}`)
    else rows.push(row(name, figuresOf(measured.samples), base, unit[index], hasRate))
  }
  return [...align(rows), ...failures]
}

/** What measures itself may be a time alone. */
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

/** Names to the left, figures to the right. */
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
