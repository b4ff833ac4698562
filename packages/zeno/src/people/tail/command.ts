// `zeno tail`: prints the last lines of a trace; with --follow also the lines appended later.
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { writeTail } from './tail.ts'
import type { TailOptions } from './tail.ts'

export async function runTail(options: TailOptions, host: Host): Promise<number> {
  await writeTail(options, terminalSafeWriter(host.stdout))
  return 0
}
