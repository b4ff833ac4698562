// `zcl expect`: checks an attempt, or every attempt of a run, against the expectations of its suite.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { expectAttempt, type ExpectationFailure } from '@zee/evidence/expect'
import { makeReport, readRunBackground, type AttemptLocation } from '@zee/evidence/report'
import { recordedNow } from '../../clock/clock.ts'
import type { ErrorCode } from '../../codes/codes.ts'
import { countedLocations, resolveTarget, shownName } from '../attempts.ts'
import { aligned, colours, complain, printJson, printLines } from '../../output/output.ts'

export interface ExpectOptions {
  strict: boolean
  json: boolean
}

/** A failure that evidence or this command reports. */
type Failure = Omit<ExpectationFailure, 'code'> & { code: ErrorCode }

export async function runExpect(
  argument: string | undefined,
  options: ExpectOptions,
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const shown = shownName(argument, host)
  const failures: Failure[] = []
  let evaluated = false
  let isEveryEvaluated = true
  for (const location of countedLocations(target)) {
    const prefix = target.kind === 'run' ? `attempts/${location.name}/` : ''
    const found = await checkExpectations(location, host)
    evaluated ||= found.evaluated
    isEveryEvaluated &&= found.evaluated
    failures.push(...found.failures.map((each) => ({ ...each, path: prefix + each.path })))
  }
  if (options.strict && !isEveryEvaluated) {
    const message = 'the suite expects nothing of this mission'
    failures.push({ code: 'ZCL_E_EXPECTATION_FAILED', message, path: 'suite.json' })
  }
  const ok = failures.length === 0
  if (options.json) {
    printJson(host, { ok, target: target.kind, path: shown, evaluated, failures })
  } else {
    const paint = colours(host)
    const verdict = ok ? paint.green('as expected') : paint.red('not as expected')
    printLines(host, [
      `${target.kind} ${shown}: ${evaluated ? verdict : 'nothing was expected'}`,
      ...aligned(failures.map((each) => [`  ${each.code}`, each.path, each.message])),
    ])
  }
  const [first] = failures
  if (first !== undefined) complain(host, first.code, `${first.path}: ${first.message}`)
  return ok ? 0 : 2
}

async function checkExpectations(location: AttemptLocation, host: Host) {
  const settings = { strictness: 'lenient' as const, computedAt: rfc3339(recordedNow(host)) }
  const made = makeReport(location, readRunBackground(location.runFolder), settings)
  return expectAttempt(location, made, host.env)
}
