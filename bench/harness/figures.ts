// From samples to the figures that are shown, and from figures to bars held or missed.
import type { Bar, Case, Figure, Sample } from './case.ts'
import type { CaseRun } from './run-case.ts'

export interface Figures {
  cpu: number
  wall: number
  wallMedian: number
  rss?: number
  /** Units in a second of wall time, and in a second of CPU time, which a busy machine leaves alone. */
  rate?: number
  ratePerCpu?: number
}

export interface BarResult {
  text: string
  held: boolean
}

export function figuresOf(samples: readonly Sample[]): Figures {
  const walls = samples.map((sample) => sample.wallMs).sort((one, other) => one - other)
  const wall = walls[0] ?? Number.NaN
  const weights = samples.flatMap(({ rssMib }) => (rssMib === undefined ? [] : [rssMib]))
  const fastest = samples.find((sample) => sample.wallMs === wall)
  const cpu = Math.min(...samples.map((sample) => sample.cpuMs))
  const amount = fastest?.amount
  return {
    cpu,
    wall,
    wallMedian: median(walls),
    rss: weights.length === 0 ? undefined : Math.max(...weights),
    rate: amount === undefined ? undefined : (amount / wall) * 1000,
    ratePerCpu: amount === undefined ? undefined : (amount / cpu) * 1000,
  }
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function judgeBars(benchCase: Case, run: CaseRun): BarResult[] {
  return benchCase.bars.map((bar) => {
    const value = figureOf(run, bar.variant, bar.figure)
    const base = bar.times === undefined ? 1 : figureOf(run, bar.times, bar.figure)
    if (value === undefined || base === undefined) {
      return { text: `${wish(bar)}: not measured`, held: false }
    }
    const shown = value / base
    const held = shown <= (bar.atMost ?? Infinity) && shown >= (bar.atLeast ?? -Infinity)
    return { text: `${wish(bar)}: ${amount(shown, bar)}, ${held ? 'held' : 'MISSED'}`, held }
  })
}

function figureOf(run: CaseRun, name: string, figure: Figure): number | undefined {
  const measured = run.variants.find((variant) => variant.name === name)?.measured
  return measured === undefined || 'failure' in measured
    ? undefined
    : figuresOf(measured.samples)[figure]
}

const figureNames: Readonly<Record<Figure, string>> = {
  cpu: 'CPU time',
  wall: 'wall time',
  rss: 'peak RSS',
  rate: 'rate',
}

function wish(bar: Bar): string {
  const limit = bar.atMost === undefined ? `at least ${bar.atLeast}` : `at most ${bar.atMost}`
  const unit = bar.times === undefined ? units[bar.figure] : ` x ${bar.times}`
  return `${bar.variant}: ${figureNames[bar.figure]} ${limit}${unit}`
}

const units: Readonly<Record<Figure, string>> = {
  cpu: ' ms',
  wall: ' ms',
  rss: ' MiB',
  rate: ' per second',
}

function amount(value: number, bar: Bar): string {
  if (bar.times !== undefined) return `${value.toFixed(2)} x`
  return shortNumber(value)
}

/** As many digits as tell something. */
export function shortNumber(value: number): string {
  if (value >= 1000) return String(Math.round(value))
  return value.toFixed(value < 10 ? 2 : 1)
}
