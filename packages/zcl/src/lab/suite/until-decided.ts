// `zcl suite run --until-decided`: adds attempts in rounds, one per mission, until a sequential test
// against a finished run decides or the limit is reached.
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName, runFolder } from '@zee/evidence/layout'
import { runFolders } from '@zee/evidence/runs'
import { contentHash, readRunFacts } from '@zee/evidence/statistics'
import type { AttemptFacts, RunFacts } from '@zee/evidence/statistics'
import { compareDefaults, planAttempts } from '@zee/evidence/statistics/compare'
import { sequentialTest } from '@zee/evidence/statistics/sequential'
import type { SequentialOutcome, SequentialTest } from '@zee/evidence/statistics/sequential'
import { gradersOf, type Suite } from '@zee/evidence/suite'
import { resolveRun } from '../../attempts/attempts.ts'
import { zclError } from '../../errors/errors.ts'
import type { RunPlan } from '../plan.ts'

export interface SequentialFlags {
  untilDecided: boolean
  against: string | undefined
  baseline: boolean
  maxAttempts: number | undefined
  margin: number | undefined
  effect: number | undefined
}

export interface SequentialRun {
  baseline: RunFacts
  maxRounds: number
  margin: number
  /** The difference of the fixed plan that the run is compared with. */
  effect: number
}

/** The decision as it is printed. */
export interface SequentialDecision extends SequentialTest {
  against: string
  alpha: number
  margin: number
  attempts: number
  maxAttempts: number
  /** Attempts of B that a fixed plan needs for a difference of `effect` at power 0.8. */
  fixedAttempts: number | null
  /** Null while it is undecided. */
  savedAttempts: number | null
}

const alpha = 0.05
const plannedPower = 0.8

/** Undefined without `--until-decided`; refuses flags that contradict each other. */
export async function openSequentialRun(
  flags: SequentialFlags,
  suite: Suite,
  outRoot: string,
  host: Host,
): Promise<SequentialRun | undefined> {
  const { untilDecided, against, baseline, maxAttempts } = flags
  if (!untilDecided) {
    refuseFlags(flags)
    return undefined
  }
  if ((against === undefined) === !baseline) {
    throw zclError('ZCL_E_USAGE', '--until-decided needs either --against <run> or --baseline')
  }
  const folder =
    against === undefined
      ? newestPinnedRun(outRoot, suite.suiteId)
      : (await resolveRun(against, host, outRoot)).folder
  const facts = readRunFacts(folder)
  const fewest = Math.min(
    ...suite.missions.map((mission) => baselineOf(facts, suite, mission).length),
  )
  if (fewest === 0) {
    const message = `${facts.runId} has no attempt of some mission with this content`
    throw notComparable(message)
  }
  const missions = suite.missions.length
  const maxRounds = Math.floor((maxAttempts ?? missions * fewest) / missions)
  if (maxRounds < 1) {
    const message = `--max-attempts must allow one attempt for each of ${missions} missions`
    throw zclError('ZCL_E_USAGE', message)
  }
  const { margin = compareDefaults.margin, effect = compareDefaults.effect } = flags
  return { baseline: facts, maxRounds, margin, effect }
}

/** Refuses flags that have no effect without `--until-decided`. */
function refuseFlags({ against, baseline, maxAttempts, margin, effect }: SequentialFlags): void {
  const given = Object.entries({
    '--against': against !== undefined,
    '--baseline': baseline,
    '--max-attempts': maxAttempts !== undefined,
    '--margin': margin !== undefined,
    '--effect': effect !== undefined,
  }).find(([, isGiven]) => isGiven)
  if (given !== undefined) throw zclError('ZCL_E_USAGE', `${given[0]} needs --until-decided`)
}

/** Refuses a baseline that was measured in another way. */
export function requireComparable({ baseline }: SequentialRun, plan: RunPlan): void {
  const { comparabilityKey: key, runId } = baseline
  if (key === undefined || key === plan.comparabilityKey) return
  const what = `${runId} was made under different settings (its comparabilityKey differs)`
  throw notComparable(what)
}

/** Exit 1, as for `zcl compare`: nothing was measured. */
function notComparable(message: string): ZeeError {
  return new ZeeError('ZCL_E_NOT_COMPARABLE', message, { exitCode: 1 })
}

/** Evaluates the attempts so far. */
export function decide(
  { baseline, maxRounds, margin, effect }: SequentialRun,
  suite: Suite,
  plan: RunPlan,
  outRoot: string,
): SequentialDecision {
  const own = readRunFacts(runFolder(outRoot, plan.runId))
  const missions = suite.missions.map((mission) => ({
    a: baselineOf(baseline, suite, mission).map(outcomeOf),
    b: own.attempts.filter(({ missionId }) => missionId === mission.missionId).map(outcomeOf),
  }))
  const test = sequentialTest(missions, { maxRounds, alpha, margin })
  const rates = missions.map(({ a }) => {
    const passed = a.filter((outcome) => outcome === 'passed').length
    return (passed + 0.5) / (a.length + 1)
  })
  const planned = { effect, power: plannedPower, alpha }
  const perMission = planAttempts(rates, planned).attemptsPerMission
  const fixedAttempts = perMission === null ? null : perMission * missions.length
  const attempts = own.attempts.length
  const isDecided = test.decision !== 'undecided'
  return {
    ...test,
    against: baseline.runId,
    alpha,
    margin,
    attempts,
    maxAttempts: maxRounds * missions.length,
    fixedAttempts,
    savedAttempts:
      isDecided && fixedAttempts !== null ? Math.max(0, fixedAttempts - attempts) : null,
  }
}

/** The decision in one line. */
export function describeDecision(decision: SequentialDecision): string {
  const { attempts, maxAttempts, eValues, thresholds, fixedAttempts, savedAttempts } = decision
  const evidence = (['better', 'worse', 'equal'] as const)
    .map((claim) => `${claim} ${eValues[claim].toPrecision(3)} of ${thresholds[claim]}`)
    .join(', ')
  const fixed = fixedAttempts === null ? '' : `; a fixed plan needs ${fixedAttempts} attempts`
  const saved = savedAttempts === null ? fixed : `${fixed}, ${savedAttempts} saved`
  return `${decision.decision} against ${decision.against} after ${attempts} of at most ${maxAttempts} attempts (e-values: ${evidence})${saved}`
}

function newestPinnedRun(outRoot: string, suiteId: string): string {
  for (const run of runFolders(outRoot)) {
    const read = readJsonArtifact(run, artifactName.run)
    if (read.failure !== undefined) continue
    if (read.value.pinned === true && read.value.suiteId === suiteId) return run.path
  }
  throw zclError('ZCL_E_USAGE', `no pinned run of ${suiteId}; pin one with zcl pin --on`)
}

function baselineOf(
  { attempts }: RunFacts,
  suite: Suite,
  mission: Suite['missions'][number],
): readonly AttemptFacts[] {
  const { missionId, prompt, expects } = mission
  const graders = gradersOf(suite, missionId)
  const hash = contentHash({
    missionId,
    graders,
    prompt,
    expects,
  })
  return attempts.filter((each) => each.missionId === missionId && each.contentHash === hash)
}

function outcomeOf({ outcome }: AttemptFacts): SequentialOutcome {
  return outcome === 'passed' || outcome === 'failed' ? outcome : 'lost'
}
