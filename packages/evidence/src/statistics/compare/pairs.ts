// Pairs the missions of two sides that can be compared: same id and same content. Missions without a
// judged attempt on one side are kept apart. Other missions are listed with the reason.
import { ZeeError } from '@zee/core/errors'
import type { AttemptFacts, RunFacts } from '../read-run.ts'
import { isJudged, missionGroups } from '../statistics.ts'

export interface Side {
  runs: readonly RunFacts[]
}

export interface Pair {
  missionId: string
  contentHash: string
  /** All attempts of the mission; `judged` contains those that passed or failed. */
  a: readonly AttemptFacts[]
  b: readonly AttemptFacts[]
  judged: { a: readonly AttemptFacts[]; b: readonly AttemptFacts[] }
}

export type NotComparedReason = 'only_in_a' | 'only_in_b' | 'content_differs' | 'no_outcome'

export interface NotCompared {
  missionId: string
  reason: NotComparedReason
}

export interface Pairing {
  suiteId: string
  pairs: Pair[]
  /** Missions on both sides without a judged attempt on one of them. */
  unjudged: Pair[]
  notCompared: NotCompared[]
  warnings: string[]
}

/** Pairs the missions; throws ZCL_E_NOT_COMPARABLE if no mission is on both sides. */
export function pairMissions(a: Side, b: Side, options: { anyProfile: boolean }): Pairing {
  const suiteId = commonSuite([...a.runs, ...b.runs])
  const warnings = checkProfiles([...a.runs, ...b.runs], options.anyProfile)
  const inA = missionGroups(attemptsOf(a))
  const inB = missionGroups(attemptsOf(b))
  const [idsInA, idsInB] = [missionIds(a), missionIds(b)]
  const pairs: Pair[] = []
  const unjudged: Pair[] = []
  const notCompared = new Map<string, NotComparedReason>()
  for (const [key, attempts] of inA) {
    const { missionId = '', contentHash = '' } = attempts[0] ?? {}
    const others = inB.get(key)
    if (others === undefined) {
      notCompared.set(missionId, idsInB.has(missionId) ? 'content_differs' : 'only_in_a')
      continue
    }
    const judged = { a: attempts.filter(isJudged), b: others.filter(isJudged) }
    const pair = { missionId, contentHash, a: attempts, b: others, judged }
    if (judged.a.length > 0 && judged.b.length > 0) {
      pairs.push(pair)
      continue
    }
    notCompared.set(missionId, 'no_outcome')
    unjudged.push(pair)
  }
  for (const missionId of idsInB) {
    if (!idsInA.has(missionId)) notCompared.set(missionId, 'only_in_b')
  }
  if (pairs.length + unjudged.length === 0) {
    throw notComparable(describeNothingCommon(notCompared))
  }
  return { suiteId, pairs, unjudged, notCompared: sorted(notCompared), warnings }
}

export function notComparable(message: string): ZeeError {
  return new ZeeError('ZCL_E_NOT_COMPARABLE', message, { exitCode: 1 })
}

function commonSuite(runs: readonly RunFacts[]): string {
  const suites = [...new Set(runs.flatMap(suitesOf))].sort()
  if (suites.length > 1) {
    throw notComparable(`the runs are of different suites: ${suites.join(', ')}`)
  }
  return suites[0] ?? ''
}

/** The suite of a run, or of its attempts if run.json is missing. */
function suitesOf({ suiteId, attempts }: RunFacts): string[] {
  return suiteId === '' ? attempts.map((attempt) => attempt.suiteId) : [suiteId]
}

/** Throws, or warns with `anyProfile`, if the runs of the lab have different settings. */
function checkProfiles(runs: readonly RunFacts[], anyProfile: boolean): string[] {
  const keys = new Set(runs.flatMap(({ comparabilityKey }) => comparabilityKey ?? []))
  const withoutKey = runs.filter(({ comparabilityKey }) => comparabilityKey === undefined)
  if (keys.size > 1) {
    const what = 'the runs were made under different settings (their comparabilityKey differs)'
    if (!anyProfile) throw notComparable(`${what}; use --any-profile to compare them anyway`)
    return [what]
  }
  if (keys.size === 0 || withoutKey.length === 0) return []
  const which = withoutKey.map(({ runId }) => runId).join(', ')
  return [`it is not known under which settings ${which} was made`]
}

function attemptsOf({ runs }: Side): AttemptFacts[] {
  return runs.flatMap(({ attempts }) => attempts)
}

function missionIds(side: Side): ReadonlySet<string> {
  return new Set(attemptsOf(side).map(({ missionId }) => missionId))
}

const reasons: Record<NotComparedReason, string> = {
  only_in_a: 'only in A',
  only_in_b: 'only in B',
  content_differs: 'with another prompt or other expectations',
  no_outcome: 'without an outcome on one side',
}

function describeNothingCommon(notCompared: ReadonlyMap<string, NotComparedReason>): string {
  const counts = Object.entries(reasons).flatMap(([reason, words]) => {
    const count = [...notCompared.values()].filter((each) => each === reason).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  const details = counts.length === 0 ? 'there are no attempts' : counts.join(', ')
  return `no mission is on both sides with the same content (${details})`
}

function sorted(notCompared: ReadonlyMap<string, NotComparedReason>): NotCompared[] {
  return [...notCompared]
    .map(([missionId, reason]) => ({ missionId, reason }))
    .sort((a, b) => (a.missionId < b.missionId ? -1 : 1))
}
