// `zcl replay`: lists the steps of an attempt that can be replayed, or replays them. Never writes into the
// attempt.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { artifactName } from '@zee/evidence/layout'
import { recordedNow } from '../../clock/clock.ts'
import { resolveAttempt } from '../../attempts/attempts.ts'
import { aligned, complain, printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { replay, type ReplayOptions } from './replay.ts'
import type { ReplayStep } from './step.ts'

export async function runReplay(
  argument: string | undefined,
  options: ReplayOptions & { json: boolean },
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  if (!existsSync(path.join(folder, artifactName.trace))) {
    throw zclError('ZCL_E_MISSING_ARTIFACT', `${folder} has no ${artifactName.trace}`)
  }
  const startedAt = rfc3339(recordedNow(host))
  const steps = await replay(folder, options, host)
  const ok = steps.every(isAsRecorded)
  const dryRun = !options.execute || options.verifyOnly
  const result = { ok, attemptDir: folder, dryRun, steps, startedAt }
  if (options.json) printJson(host, result)
  else printLines(host, describe(steps))
  if (ok) return 0
  const failed = steps.filter((step) => !isAsRecorded(step))
  const [first] = failed
  const why = first?.error === undefined ? '' : `, ${first.error}`
  const counts = `${failed.length} of ${steps.length} steps differ from the recording or were refused`
  complain(host, 'ZCL_E_TOOL_FAILED', `${counts} (first: step ${first?.index}${why})`)
  return 2
}

/** A step that was not executed is as recorded; a recorded failure that fails again is, too. */
function isAsRecorded({ ok, matches }: ReplayStep): boolean {
  return matches ?? ok !== false
}

function describe(steps: readonly ReplayStep[]): string[] {
  return aligned(
    steps.map((step) => [
      String(step.index),
      stateOf(step),
      step.matches === undefined ? '' : step.matches ? 'as recorded' : 'differs',
      `${step.tool} ${step.name ?? step.op}`,
      step.argv?.join(' ') ?? step.method ?? '',
      step.error ?? '',
    ]),
  )
}

function stateOf({ replayable, ok }: ReplayStep): string {
  if (!replayable) return 'skipped'
  if (ok === undefined) return 'would run'
  return ok ? 'ok' : 'failed'
}
