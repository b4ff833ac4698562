// Times a function in a fresh process, which no earlier variant has warmed up. The process reports
// CPU time, wall time and its peak memory on descriptor 3.
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

/** Runs the variant and reports the sample. Called inside the fresh process. */
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
  // On Linux, getrusage keeps the maximum across exec, so it starts at the size of the parent.
  const kib = peakKib('self')
  return (kib === 0 ? process.resourceUsage().maxRSS : kib) / 1024
}
