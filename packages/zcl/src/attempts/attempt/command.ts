// `zcl attempt env`, `attempt finish` and `attempt explain`: commands over one complete attempt.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { terminalSafeText } from '@zee/core/colour'
import { errorAfter } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import {
  attemptEnvironment,
  environmentText,
  identityOf,
  readAttemptFile,
  type EnvFormat,
} from '@zee/evidence/attempt'
import { expectAttempt } from '@zee/evidence/expect'
import { makeReport, readRunBackground, reportAttempt } from '@zee/evidence/report'
import { callName, readTraceTail, storedEvent } from '@zee/evidence/events'
import type { ReportFile } from '@zee/evidence/schema'
import { validate } from '@zee/evidence/validate'
import { recordedNow } from '../../clock/clock.ts'
import { costOf } from '../../cost/cost.ts'
import type { Code } from '../../codes/codes.ts'
import { resolveAttempt, type AttemptTarget } from '../attempts.ts'
import { aligned, colours, complain, printJson, printLines } from '../../output/output.ts'
import { describeAttempt } from '../report/report.ts'
import { validationExitCode } from '../validate/validate.ts'

export interface EnvOptions {
  format: string
  json: boolean
}

export async function runAttemptEnv(
  argument: string | undefined,
  options: EnvOptions,
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const env = attemptEnvironment(identityOf(readAttemptFile(folder)), folder)
  if (options.json) printJson(host, { ok: true, env })
  else
    host.stdout.write(
      terminalSafeText(host.stdout)(environmentText(env, options.format as EnvFormat)),
    )
  return 0
}

export interface FinishOptions {
  strict: boolean
  strictExpect: boolean
  json: boolean
}

/** Reports, validates and checks expectations; exit 2 when any of them fails, 1 on an I/O error. */
export async function runAttemptFinish(
  argument: string | undefined,
  options: FinishOptions,
  host: Host,
): Promise<number> {
  const target = await resolveAttempt(argument, host)
  const shown = shownFolder(target, host)
  const settings = {
    strictness: options.strict ? ('strict' as const) : ('by_mode' as const),
    computedAt: rfc3339(recordedNow(host)),
    costOf,
  }
  const made = await reportAttempt(target, settings)
  const { report } = made
  const { expectations, validation } = await checkReported(async () => ({
    expectations: await expectAttempt(target, made, host.env),
    validation: validate(shown, target.folder, { strict: options.strict }),
  }))
  const expected = !options.strictExpect || expectations.evaluated
  const expect = {
    ok: expectations.ok && expected,
    target: 'attempt',
    path: shown,
    evaluated: expectations.evaluated,
    failures: expectations.failures,
  }
  const ok = report.ok === true && report.unproven !== true && validation.ok && expect.ok
  if (options.json) {
    const { strict, strictExpect } = options
    printJson(host, {
      ok,
      strict,
      strictExpect,
      attemptDir: shown,
      report,
      validate: validation,
      expect,
    })
  } else printLines(host, describeAttempt(report, host))
  if (ok) return 0
  const [code, message] = firstFault(report, validation.errors[0], expect)
  const isUnreadable = validationExitCode(validation) === 1
  complain(host, code, isUnreadable ? `${message}; ${reportWritten}` : message)
  return isUnreadable ? 1 : 2
}

const reportWritten = 'the report was written'

async function checkReported<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    throw errorAfter(reportWritten, error)
  }
}

function firstFault(
  { ok, unproven }: ReportFile,
  error: { code: Code; path: string; message: string } | undefined,
  expect: { ok: boolean; evaluated: boolean; failures: { code: Code; message: string }[] },
): [Code, string] {
  if (error !== undefined) return [error.code, `${error.path}: ${error.message}`]
  const [failure] = expect.failures
  if (failure !== undefined) return [failure.code, failure.message]
  if (!expect.ok) return ['ZCL_E_EXPECTATION_FAILED', 'the suite expects nothing of this mission']
  if (ok === undefined) return ['ZCL_E_MISSING_ARTIFACT', 'the attempt has no outcome']
  if (unproven === true) {
    return ['ZCL_E_UNPROVEN', 'unproven: the attempt claims success without a recorded action']
  }
  return ['ZCL_E_EXPECTATION_FAILED', 'the attempt ended with --fail']
}

export interface ExplainOptions {
  strict: boolean
  tail: number
  json: boolean
}

/** Prints the report, the validation and the last calls; writes nothing. */
export async function runAttemptExplain(
  argument: string | undefined,
  options: ExplainOptions,
  host: Host,
): Promise<number> {
  const target = await resolveAttempt(argument, host)
  const background = readRunBackground(target.runFolder)
  const settings = {
    strictness: 'lenient' as const,
    computedAt: rfc3339(recordedNow(host)),
    costOf,
  }
  const { report } = makeReport(target, background, settings)
  const validation = validate(shownFolder(target, host), target.folder, { strict: options.strict })
  const from = { path: target.folder, within: target.runFolder ?? target.folder }
  const tail = readTraceTail(from, options.tail).map(({ event }) => event)
  if (options.json) {
    const { attemptId } = report
    printJson(host, { ok: true, attemptId, report, validate: validation, tail })
    return 0
  }
  const paint = colours(host)
  const findings = [...validation.errors, ...validation.warnings]
  printLines(host, [
    ...describeAttempt(report, host),
    '',
    paint.bold(validation.ok ? 'valid' : 'not valid'),
    ...aligned(findings.map(({ code, path: place, message }) => [code, place, message])).map(
      (row) => `  ${row}`,
    ),
    '',
    paint.bold('last calls'),
    ...aligned(tail.map(callRow)).map((row) => `  ${row}`),
  ])
  return 0
}

function callRow(record: Record<string, unknown>): string[] {
  const event = storedEvent(record, 0)
  const input = JSON.stringify(record.input ?? {})
  return [
    event.ts,
    `${event.tool} ${callName(event)}`,
    event.ok ? 'ok' : (event.code ?? 'failed'),
    `${event.durationMs} ms`,
    input.length > 80 ? `${input.slice(0, 79)}…` : input,
  ]
}

function shownFolder(target: AttemptTarget, host: Host): string {
  return path.relative(host.cwd, target.folder) || '.'
}
