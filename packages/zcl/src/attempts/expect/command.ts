// `zcl expect`: what the suite expects of an attempt, or of every attempt of a run, and what came.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { expectAttempt, type ExpectationFailure } from '@zee/evidence/expect'
import { isAnswer, readOutcome } from '@zee/evidence/outcome'
import { makeReport, readRunBackground, type AttemptLocation } from '@zee/evidence/report'
import { recordedNow } from '../../clock/clock.ts'
import type { ErrorCode } from '../../codes/codes.ts'
import { attemptPlaces, namedTarget, type KnownTarget } from '../attempts.ts'
import { aligned, colours, complain, printJson, printLines } from '../../output/output.ts'

export interface ExpectOptions {
  strict: boolean
  json: boolean
}

/** A failure that evidence or this command reports. */
type Failure = Omit<ExpectationFailure, 'code'> & { code: ErrorCode }

export async function runExpect(
  given: string,
  options: ExpectOptions,
  host: Host,
): Promise<number> {
  const target = await namedTarget(given, host)
  const failures: Failure[] = []
  let evaluated = false
  let all = true
  for (const place of placesOf(target)) {
    const prefix = target.kind === 'run' ? `attempts/${place.name}/` : ''
    const found = await expectationsOf(place, host)
    evaluated ||= found.evaluated
    all &&= found.evaluated
    failures.push(...found.failures.map((each) => ({ ...each, path: prefix + each.path })))
  }
  if (options.strict && !all) {
    const message = 'the suite expects nothing of this mission'
    failures.push({ code: 'ZCL_E_EXPECTATION_FAILED', message, path: 'suite.json' })
  }
  const ok = failures.length === 0
  if (options.json) {
    printJson(host, { ok, target: target.kind, path: given, evaluated, failures })
  } else {
    const paint = colours(host)
    const verdict = ok ? paint.green('as expected') : paint.red('not as expected')
    printLines(host, [
      `${target.kind} ${given}: ${evaluated ? verdict : 'nothing was expected'}`,
      ...aligned(failures.map((each) => [`  ${each.code}`, each.path, each.message])),
    ])
  }
  const [first] = failures
  if (first !== undefined) complain(host, first.code, `${first.path}: ${first.message}`)
  return ok ? 0 : 2
}

function placesOf(target: KnownTarget): AttemptLocation[] {
  const places = attemptPlaces(target)
  return target.kind === 'attempt' ? places : places.filter(({ folder }) => !wasRepeated(folder))
}

/** A try that says nothing about the agent has nothing to live up to. */
function wasRepeated(folder: string): boolean {
  const outcome = readOutcome({ path: folder, within: folder })?.outcome
  return outcome !== undefined && !isAnswer(outcome)
}

async function expectationsOf(place: AttemptLocation, host: Host) {
  const settings = { strictness: 'lenient' as const, computedAt: rfc3339(recordedNow(host)) }
  const made = makeReport(place, readRunBackground(place.runFolder), settings)
  return expectAttempt(place, made, host.env)
}
