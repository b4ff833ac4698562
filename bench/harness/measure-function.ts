// Times a function in a fresh process, where no earlier variant has warmed anything up. The process
// reports CPU and wall time of the call and its own peak memory on descriptor 3.
import { writeSync } from 'node:fs'
import type { FunctionVariant, Sample } from './case.ts'
import { describeEnd, runChild } from './child.ts'
import { peakKib } from './tree-memory.ts'

export async function timeFunction(
  command: readonly string[],
): Promise<Sample | { failure: string }> {
  const child = await runChild(command)
  if (child.code !== 0) return { failure: describeEnd(child) }
  return JSON.parse(child.report) as Sample
}

/** The other end, inside the fresh process. */
export async function reportFunction(variant: FunctionVariant, scratch: string): Promise<void> {
  const cpuBefore = process.cpuUsage()
  const begin = process.hrtime.bigint()
  const result = await variant.run(scratch)
  const wallMs = Number(process.hrtime.bigint() - begin) / 1e6
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpuMs = (user + system) / 1000
  const own = typeof result === 'number' ? { amount: result } : result
  const sample: Sample = { wallMs, cpuMs, rssMib: ownPeakMib(), ...own }
  writeSync(3, JSON.stringify(sample))
}

function ownPeakMib(): number {
  // Not getrusage on Linux: its maximum survives exec, so it starts at the size of our parent.
  const kib = peakKib('self')
  return (kib === 0 ? process.resourceUsage().maxRSS : kib) / 1024
}
