// Computes figures from samples.
import type { Sample } from './case.ts'

export interface Figures {
  cpu: number
  wall: number
  wallMedian: number
  rss?: number
  /** Units handled in the fastest sample. */
  amount?: number
  standardError?: number
  /** Units per second of wall time, in the best sample. */
  rate?: number
  /** Units per second of CPU time, which load on the machine distorts less. */
  ratePerCpu?: number
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
    amount,
    standardError: fastest?.standardError,
    rate: bestRate(samples),
    ratePerCpu: amount === undefined ? undefined : (amount / cpu) * 1000,
  }
}

/**
 * Samples of a fixed time, such as frames, differ in their amount: the one with the least wall time is then any of
 * them, while other work on the machine only lowers the rate.
 */
function bestRate(samples: readonly Sample[]): number | undefined {
  const rates = samples.flatMap(({ amount, wallMs }) =>
    amount === undefined ? [] : [(amount / wallMs) * 1000],
  )
  return rates.length === 0 ? undefined : Math.max(...rates)
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
