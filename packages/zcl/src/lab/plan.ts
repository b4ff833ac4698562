// The plan of a run: its settings, its slots, and the file that stores it.
// A slot is one planned attempt. A try is one attempt folder of a slot (`-r1`, `-r2`, ...).
// Queues hand slots to workers; a slot counts once, with its first answer.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { canonicalJson } from '@zee/core/canonical-json'
import { artifactError, artifactText, readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName, labArtifactName, runFolder } from '@zee/evidence/layout'
import { normaliseSuite, suiteKey, type Suite } from '@zee/evidence/suite'
import { zclError } from '../errors/errors.ts'
import type { RunProfile } from './profile.ts'
import { profileFault } from './stored-profile.ts'

export interface RunPlan {
  schemaVersion: 1
  runId: string
  suiteId: string
  createdAt: string
  /** Equal keys mean the same suite and the same measuring settings. */
  comparabilityKey: string
  /** Number of planned attempts; slot n runs the mission at (n - 1) modulo the number of missions. */
  total: number
  missions: string[]
  /** The folder of the suite file, relative to the output root. */
  suiteDir?: string
  /** The name of the suite file in that folder. */
  suiteFile?: string
  profile: RunProfile
  /** The names of the starter's environment variables, without zcl's own; older plans have none. */
  envNames?: string[]
  /** The runner command, redacted. */
  runner: string[]
  /** An argument of `runner` was redacted, so only the starter can run its attempts. */
  runnerRedacted?: true
}

export interface Slot {
  slot: number
  missionId: string
}

export function slotOf(plan: RunPlan, slot: number): Slot {
  const missionId = plan.missions[(slot - 1) % plan.missions.length] ?? ''
  return { slot, missionId }
}

export function* slotsOf(plan: RunPlan): Generator<Slot> {
  for (let slot = 1; slot <= plan.total; slot++) yield slotOf(plan, slot)
}

/** Variables that a shell sets for itself. */
const shellVariables = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL'])

/** The value of `envNames`. */
export function environmentNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => !name.startsWith('ZCL_') && !shellVariables.has(name))
    .sort()
}

/** Hashes the suite and the measuring settings, but neither the runner nor the number of attempts. */
export function comparabilityKeyOf(suite: Suite, profile: RunProfile): string {
  const { captureRunnerIo: _io, homeTemplate: _home, allowUnproven: _claim, ...rest } = profile
  const { injectSeed: _seed, ...measured } = rest
  const text = canonicalJson({
    suite: suiteKey(withoutRunner(suite)),
    profile: withoutUndefined(measured),
  })
  return createHash('sha256').update(text).digest('hex')
}

/** Runs with other runners are comparable: the runner is often what a comparison is about. */
function withoutRunner({ runner: _runner, defaults, ...suite }: Suite): Suite {
  if (defaults === undefined) return suite
  const { runner: _default, ...others } = defaults
  return { ...suite, defaults: others }
}

function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

export async function writePlan(outRoot: string, plan: RunPlan): Promise<void> {
  const file = path.join(runFolder(outRoot, plan.runId), labArtifactName.runPlan)
  await writeFileAtomic(file, artifactText(plan))
}

export function planExists(outRoot: string, runId: string): boolean {
  return existsSync(path.join(runFolder(outRoot, runId), labArtifactName.runPlan))
}

export interface PlannedRun {
  plan: RunPlan
  suite: Suite
}

/** Reads the plan and the suite stored with a run; throws ZCL_E_USAGE when there are none. */
export function readPlannedRun(outRoot: string, runId: string): PlannedRun {
  const folder = runFolder(outRoot, runId)
  const from = { path: folder, within: folder }
  const plan = readJsonArtifact(from, labArtifactName.runPlan)
  const suite = readJsonArtifact(from, artifactName.suite)
  if (plan.failure === 'missing' || suite.failure === 'missing') {
    const message = `${folder} holds no planned run (see zcl suite run and zcl suite plan)`
    throw zclError('ZCL_E_USAGE', message)
  }
  const file = path.join(folder, labArtifactName.runPlan)
  if (plan.failure !== undefined) throw artifactError(plan, file)
  if (suite.failure !== undefined) {
    throw artifactError(suite, path.join(folder, artifactName.suite))
  }
  if (plan.value.schemaVersion !== 1) {
    throw zclError('ZCL_E_SCHEMA_UNSUPPORTED', `${file}: schemaVersion is not 1`)
  }
  const fault = planFault(plan.value)
  if (fault !== undefined) throw zclError('ZCL_E_CONTRACT', `${file}: ${fault}`)
  return {
    plan: plan.value as unknown as RunPlan,
    suite: normaliseSuite(suite.value, artifactName.suite),
  }
}

/** What a stored plan lacks to be one. */
function planFault(plan: Record<string, unknown>): string | undefined {
  const { missions, total, profile, runner, comparabilityKey } = plan
  if (!isTextList(missions) || missions.length === 0) return 'missions is not a list of ids'
  if (!Number.isSafeInteger(total) || Number(total) < 1)
    return 'total is not a whole number above 0'
  const fault = profileFault(profile)
  if (fault !== undefined) return fault
  if (!isTextList(runner)) return 'runner is not a list of words'
  const texts = ['runId', 'suiteId', 'createdAt'].filter((key) => typeof plan[key] !== 'string')
  if (typeof comparabilityKey !== 'string') texts.push('comparabilityKey')
  return texts.length === 0 ? undefined : `${texts.join(', ')} is missing`
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
