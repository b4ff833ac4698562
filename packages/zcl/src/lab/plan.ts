// The lab, from below: a *plan* says what a run is to do; a *slot* is one planned attempt of it; a *try*
// is one attempt folder for a slot (`-r1`, `-r2`, ...). `run-attempt` does one try, `run-slot` finds out
// which try is due, queues hand slots to workers, and a slot counts once: with its first answer.
// This file: what a plan is, how it is kept with the run, and which slot is which mission.
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

export interface RunPlan {
  schemaVersion: 1
  runId: string
  suiteId: string
  createdAt: string
  /** Runs with the same key were measured in the same way. */
  comparabilityKey: string
  /** How many attempts are planned; slot n is the mission at (n - 1) modulo the number of missions. */
  total: number
  missions: string[]
  profile: RunProfile
  /** The command of the runner; secrets in it are not kept. */
  runner: string[]
  /** Some word of `runner` was redacted, so that only its owner can go on with the run. */
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

/** The suite and everything about the measuring, but not who is measured nor how often. */
export function comparabilityKeyOf(suite: Suite, profile: RunProfile): string {
  const { captureRunnerIo: _unrelated, homeTemplate: _local, ...measured } = profile
  const text = canonicalJson({ suite: suiteKey(suite), profile: definedOf(measured) })
  return createHash('sha256').update(text).digest('hex')
}

function definedOf(value: object): unknown {
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

/** The plan and the suite that a run keeps; a typed error when it has none. */
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
  return {
    plan: plan.value as unknown as RunPlan,
    suite: normaliseSuite(suite.value, artifactName.suite),
  }
}
