// The runner of a suite: a preset of a known agent, or a command.
import * as z from 'zod/mini'
import {
  approvalAnswers,
  approvalPolicies,
  effortPolicies,
  nativePreset,
  runnerPresets,
  sandboxModes,
} from '../schema/vocabulary.ts'

const text = z.string().check(z.minLength(1))

const settingsOfNative = {
  model: z.optional(text),
  modelReasoningEffort: z.optional(text),
  modelReasoningPolicy: z.optional(z.enum(effortPolicies)),
  approvalPolicy: z.optional(z.enum(approvalPolicies)),
  approvals: z.optional(z.enum(approvalAnswers)),
  sandbox: z.optional(z.enum(sandboxModes)),
  minStartIntervalMs: z.optional(z.int().check(z.gte(1))),
}

/** The runner of all attempts, unless the command line names one. */
export const runner = z.looseObject({
  /** As in a campaign; the native runner needs nothing else. */
  type: z.optional(z.enum(['process_cmd', nativePreset])),
  /** A known agent. */
  preset: z.optional(z.enum([...runnerPresets, nativePreset])),
  /** A program with a slash in its name is relative to the suite file. */
  command: z.optional(z.array(z.string()).check(z.minLength(1))),
  ...settingsOfNative,
})

export type SuiteRunner = z.infer<typeof runner>

export function isNative({ type, preset }: SuiteRunner): boolean {
  return type === nativePreset || preset === nativePreset
}

/** What makes the runner unclear, or undefined. */
export function runnerProblem(runner: SuiteRunner): string | undefined {
  const { type, preset, command } = runner
  const known = preset ?? (type === nativePreset ? type : undefined)
  if ((known === undefined) === (command === undefined)) {
    return 'runner needs either preset or command'
  }
  if (isNative(runner)) {
    const isOther = type === 'process_cmd' || (preset !== undefined && preset !== nativePreset)
    return isOther ? `runner.type ${type} contradicts preset: ${preset}` : undefined
  }
  const settings = Object.keys(settingsOfNative) as (keyof typeof settingsOfNative)[]
  const without = settings.find((key) => runner[key] !== undefined)
  return without === undefined ? undefined : `runner.${without} needs preset: ${nativePreset}`
}
