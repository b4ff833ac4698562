// What differs between two runs: the command, environment names, versions, the suite and its prompts, and settings.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@zee/core/canonical-json'
import { isObject } from '@zee/core/json'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import type { RunFacts } from '@zee/evidence/statistics'
import type { ComparisonPage } from '@zee/web/data'

type Fields = Readonly<Record<string, unknown>>
type Change = ComparisonPage['changes'][number]

interface Side {
  folder: string
  facts: RunFacts
}

const maxTextChars = 2000

export function changesBetween(a: Side, b: Side): Change[] {
  const [before, after] = [factsOf(a, b), factsOf(b, a)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names
    .map((what) => ({ what, before: before.get(what) ?? '–', after: after.get(what) ?? '–' }))
    .filter((change) => change.before !== change.after)
}

/** In the order of the page: what the user chose comes first. */
function factsOf({ folder, facts }: Side, other: Side): Map<string, string> {
  const plan = artifact(folder, labArtifactName.runPlan)
  const run = artifact(folder, artifactName.run)
  const suite = artifact(folder, artifactName.suite)
  const found = new Map<string, string>()
  const add = (what: string, value: unknown): void => {
    if (value !== undefined && value !== '') found.set(what, textOf(value).slice(0, maxTextChars))
  }
  add('command', Array.isArray(plan.runner) ? plan.runner.join(' ') : undefined)
  add('environment names', environmentOnlyIn(plan, artifact(other.folder, labArtifactName.runPlan)))
  for (const [name, value] of settingsOf(plan.profile)) add(name, value)
  for (const mission of missionsOf(suite)) {
    add(`prompt of ${String(mission.missionId ?? mission.id)}`, mission.prompt)
  }
  for (const name of ['zclVersion', 'versions', 'environment', 'agent']) {
    add(name === 'zclVersion' ? 'version of zcl' : name, run[name] ?? plan[name])
  }
  if (Object.keys(suite).length > 0) add('suite', hashOf(suite))
  add('started', facts.createdAt)
  add('settings of the harness', facts.comparabilityKey?.slice(0, 12))
  add('attempts', String(facts.attempts.length))
  add('missions', String(new Set(facts.attempts.map(({ missionId }) => missionId)).size))
  return found
}

/** The names of variables that the other run was started without; undefined if one of the plans has no names. */
function environmentOnlyIn(plan: Fields, other: Fields): string | undefined {
  if (!Array.isArray(plan.envNames) || !Array.isArray(other.envNames)) return undefined
  const others = new Set(other.envNames.map(String))
  return plan.envNames
    .map(String)
    .filter((name) => !others.has(name))
    .join(' ')
}

function settingsOf(profile: unknown): [string, unknown][] {
  return isObject(profile) ? Object.entries(profile) : []
}

function missionsOf({ missions }: Fields): Fields[] {
  return Array.isArray(missions) ? missions.filter(isObject) : []
}

function artifact(folder: string, name: string): Fields {
  const read = readJsonArtifact({ path: folder, within: folder }, name)
  return read.failure === undefined ? read.value : {}
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function hashOf(suite: Fields): string {
  return createHash('sha256').update(canonicalJson(suite)).digest('hex').slice(0, 12)
}
