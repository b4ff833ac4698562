// Plans a new run, creates its folder, and returns the runner that a plan stores.
import path from 'node:path'
import { existsSync, statSync } from 'node:fs'
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
import { comparabilityKeyOf, environmentNames, writePlan } from '../plan.ts'
import type { PlannedRun, RunPlan } from '../plan.ts'
import { requirePrerequisites } from '../prerequisites/prerequisites.ts'
import { resolveProfile, refuseContaminatedPrompts } from '../profile.ts'
import type { ProfileOptions, RunProfile } from '../profile.ts'

/** The stored runner command; throws when a secret in it was redacted. */
export function storedRunner(plan: RunPlan): readonly string[] {
  if (plan.runnerRedacted !== true) return plan.runner
  const message = 'the runner had a secret among its arguments, which is not stored'
  throw zclError(
    'ZCL_E_USAGE',
    `${message}; pass the runner again after --, or the secret in the environment`,
  )
}

interface PlanOptions extends ProfileOptions {
  /** The suite file. */
  file: string
  runId?: string | undefined
  total?: number | undefined
}

/** The plan of a new run. Validates all options and writes nothing. */
export function planRun(
  suite: Suite,
  options: PlanOptions,
  runner: readonly string[],
  outRoot: OutRoot,
  host: Host,
): RunPlan {
  const profile = usableProfile(options, suite, host)
  const now = recordedNow(host)
  const runId = options.runId ?? newRunId(now)
  if (existsSync(runFolder(outRoot.absolute, runId))) {
    throw zclError(
      'ZCL_E_USAGE',
      `the run ${runId} already exists; continue it with zcl suite resume`,
    )
  }
  const redacted = redactorFor(host).value(runner)
  return {
    schemaVersion: 1,
    runId,
    suiteId: suite.suiteId,
    createdAt: rfc3339(now),
    comparabilityKey: comparabilityKeyOf(suite, profile),
    total: options.total ?? suite.missions.length,
    missions: suite.missions.map(({ missionId }) => missionId),
    suiteDir: path.relative(outRoot.absolute, path.dirname(path.resolve(host.cwd, options.file))),
    suiteFile: path.basename(options.file),
    profile,
    envNames: environmentNames(host.env),
    runner: redacted.value as string[],
    ...(redacted.applied.length === 0 ? {} : { runnerRedacted: true as const }),
  }
}

/** Creates the folder of a new run with its suite and its plan. */
export async function storePlannedRun({ plan, suite }: PlannedRun, outRoot: string): Promise<void> {
  const { runId, suiteId, createdAt } = plan
  await ensureRun({ outRoot, runId, suiteId, suite, now: new Date(createdAt) })
  await writePlan(outRoot, plan)
}

/** Throws if an attempt could not be set up or graded. Planned attempts may run where the keys of judges are. */
export async function requireUsableSuite(
  suite: Suite,
  { file, needsKeys }: { file: string; needsKeys: boolean },
  { cwd, env }: Host,
): Promise<void> {
  const baseFolder = path.dirname(path.resolve(cwd, file))
  await requirePrerequisites({ suite, file, baseFolder, env, needsKeys })
}

/** The settings of all attempts. Throws if an attempt cannot be set up or started with them. */
export function usableProfile(options: ProfileOptions, suite: Suite, host: Host): RunProfile {
  const profile = resolveProfile(withAbsoluteHome(options, host), suite)
  refuseContaminatedPrompts(suite, profile)
  for (const tool of profile.shims) refuseUnusableName(tool)
  const { homeTemplate } = options
  if (profile.homeTemplate !== undefined && !isFolder(profile.homeTemplate)) {
    throw zclError('ZCL_E_USAGE', `--home-template ${homeTemplate} is not a folder`)
  }
  return profile
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}

function withAbsoluteHome(options: ProfileOptions, { cwd }: Host): ProfileOptions {
  const { homeTemplate } = options
  if (homeTemplate === undefined) return options
  return { ...options, homeTemplate: path.resolve(cwd, homeTemplate) }
}
