// The plan of a new run, and the runner that a plan keeps.
import path from 'node:path'
import { existsSync } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { newRunId } from '@zee/core/ids'
import { ensureRun } from '@zee/evidence/runs'
import { runFolder } from '@zee/evidence/layout'
import type { Suite } from '@zee/evidence/suite'
import { recordedNow } from '../../clock/clock.ts'
import type { OutRoot } from '../../config/config.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { refuseUnusableName } from '../../shim/shim.ts'
import { zclError } from '../../errors/errors.ts'
import { comparabilityKeyOf, writePlan, type RunPlan } from '../plan.ts'
import { profileOf, refuseContaminated, type ProfileOptions } from '../profile.ts'

/** The runner that a plan keeps, unless a secret had to be taken out of it. */
export function knownRunner(plan: RunPlan): readonly string[] {
  if (plan.runnerRedacted !== true) return plan.runner
  const message = 'the runner had a secret among its arguments, which is not kept; give it again'
  throw zclError('ZCL_E_USAGE', `${message} behind -- (or pass it by the environment)`)
}

interface PlanOptions extends ProfileOptions {
  runId?: string | undefined
  total?: number | undefined
}

/** Everything that can be refused is refused before the run's folder is made. */
export async function planRun(
  suite: Suite,
  options: PlanOptions,
  runner: readonly string[],
  outRoot: OutRoot,
  host: Host,
): Promise<RunPlan> {
  const profile = profileOf(withAbsoluteHome(options, host), suite)
  refuseContaminated(suite, profile)
  for (const tool of profile.shims) refuseUnusableName(tool)
  const now = recordedNow(host)
  const runId = options.runId ?? newRunId(now)
  if (existsSync(runFolder(outRoot.absolute, runId))) {
    throw zclError('ZCL_E_USAGE', `the run ${runId} is there already; see zcl suite resume`)
  }
  const kept = redactorFor(host).value(runner)
  const plan: RunPlan = {
    schemaVersion: 1,
    runId,
    suiteId: suite.suiteId,
    createdAt: rfc3339(now),
    comparabilityKey: comparabilityKeyOf(suite, profile),
    total: options.total ?? suite.missions.length,
    missions: suite.missions.map(({ missionId }) => missionId),
    profile,
    runner: kept.value as string[],
    ...(kept.applied.length === 0 ? {} : { runnerRedacted: true }),
  }
  await ensureRun({ outRoot: outRoot.absolute, runId, suiteId: suite.suiteId, suite, now })
  await writePlan(outRoot.absolute, plan)
  return plan
}

function withAbsoluteHome(options: PlanOptions, { cwd }: Host): PlanOptions {
  const { homeTemplate } = options
  if (homeTemplate === undefined) return options
  return { ...options, homeTemplate: path.resolve(cwd, homeTemplate) }
}
