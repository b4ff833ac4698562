// Walks the trace of an attempt and describes or replays its steps.
import type { Host } from '@zee/core/exit'
import { eventsByStart } from '@zee/evidence/events'
import { redactorFor } from '../../redaction/redaction.ts'
import { ReplayPlan } from './plan.ts'
import { Replayer, describeStep, type ReplayStep } from './step.ts'

export interface ReplayOptions {
  execute: boolean
  /** Never execute, even with `execute`. */
  verifyOnly: boolean
  allow: readonly (readonly string[])[]
  allowAll: boolean
  maxSteps: number
  stdin: boolean
}

export async function replay(
  folder: string,
  options: ReplayOptions,
  host: Host,
): Promise<ReplayStep[]> {
  const permission = { all: options.allowAll, names: new Set(options.allow.flat()) }
  const plan = new ReplayPlan()
  const replayer = new Replayer(permission, host, redactorFor(host), options.stdin)
  const steps: ReplayStep[] = []
  try {
    for await (const event of eventsByStart(folder)) {
      if (steps.length >= options.maxSteps) break
      const step = plan.step(event)
      const executes = options.execute && !options.verifyOnly
      steps.push(executes ? await replayer.run(step) : describeStep(step))
    }
  } finally {
    await replayer.close()
  }
  return steps
}
