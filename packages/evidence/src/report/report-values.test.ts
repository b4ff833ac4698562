import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, Lab, writeTrace, type Event, type LabAttempt } from '../../test/lab.ts'
import type { ReportFile } from '../schema/schema.ts'
import { makeReport, readRunBackground } from './make-report.ts'
import type { AttemptReport, ReportOptions } from './make-report.ts'

const computedAt = '2026-02-16T00:00:00.000Z'
let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
})
afterEach(() => lab.remove())

function made(options: Partial<ReportOptions> = {}): AttemptReport {
  const { folder, runFolder, ids } = attempt
  return makeReport({ folder, runFolder, name: ids.attemptId }, readRunBackground(runFolder), {
    strictness: 'lenient',
    computedAt,
    ...options,
  })
}

/** The report without the metrics, the findings and the ids. */
function reportOf(options: Partial<ReportOptions> = {}): Partial<ReportFile> {
  const {
    metrics: _,
    findings: _f,
    runId: _r,
    suiteId: _s,
    missionId: _m,
    ...rest
  } = made(options).report
  return JSON.parse(
    JSON.stringify({ ...rest, traceRoot: undefined, attemptId: undefined }),
  ) as Partial<ReportFile>
}

const changeFile = (name: string, over: Event): void =>
  attempt.write(name, { ...attempt.json(name), ...over })
const remove = (...names: string[]): void => {
  for (const name of names) rmSync(attempt.file(name))
}
const trace = (...events: Event[]): void =>
  writeTrace(
    attempt,
    events.map((each) => event(attempt, each)),
  )

test('a report has all members of a plain attempt', () => {
  expect(reportOf()).toEqual({
    schemaVersion: 1,
    computedAt: '2026-02-16T00:00:00.000Z',
    startedAt: '2026-02-15T18:00:12.000Z',
    endedAt: '2026-02-15T18:00:30.000Z',
    ok: true,
    result: 'x',
    decisionTags: ['success'],
    tokenEstimates: {
      source: 'trace-heuristic',
      basis: 'estimated',
      inputTokens: 11,
      outputTokens: 0,
      totalTokens: 11,
    },
    artifacts: {
      attemptJson: 'attempt.json',
      toolCallsJsonl: 'tool.calls.jsonl',
      feedbackJson: 'feedback.json',
    },
    integrity: { tracePresent: true, traceNonEmpty: true, traceLines: 2, feedbackPresent: true },
    signals: {
      repeatMaxStreak: 2,
      distinctCommandSignatures: 1,
      failureRateBps: 0,
      noProgressSuspected: false,
      commandNamesSeen: ['echo'],
    },
  })
})

const refusal = { result: { ok: false, code: 'ZCL_E_TIMEOUT', durationMs: 0 } }

test.each<[string, () => void, (report: Partial<ReportFile>) => unknown, unknown]>([
  ['the tags of a success', () => undefined, ({ decisionTags }) => decisionTags, ['success']],
  [
    'the tags of a failure',
    () => changeFile('feedback.json', { ok: false, decisionTags: ['timeout', 'blocked'] }),
    ({ decisionTags }) => decisionTags,
    ['blocked', 'timeout'],
  ],
  [
    'the tags without an outcome',
    () => remove('feedback.json'),
    ({ decisionTags }) => decisionTags,
    ['missing_evidence'],
  ],
  [
    'the tags of a timeout',
    () => trace(refusal, {}),
    ({ decisionTags }) => decisionTags,
    ['success', 'timeout'],
  ],
  [
    'the tags without a trace',
    () => remove('tool.calls.jsonl'),
    ({ decisionTags }) => decisionTags,
    ['funnel_bypass', 'success'],
  ],
  [
    'integrity without a trace',
    () => remove('tool.calls.jsonl'),
    ({ integrity }) => integrity,
    {
      tracePresent: false,
      traceNonEmpty: false,
      traceLines: 0,
      feedbackPresent: true,
      funnelBypassSuspected: true,
    },
  ],
  [
    'integrity with an empty trace',
    () => attempt.write('tool.calls.jsonl', ''),
    ({ integrity }) => integrity,
    {
      tracePresent: true,
      traceNonEmpty: false,
      traceLines: 0,
      feedbackPresent: true,
      funnelBypassSuspected: true,
    },
  ],
  [
    'integrity without an outcome',
    () => remove('feedback.json'),
    ({ integrity }) => integrity,
    { tracePresent: true, traceNonEmpty: true, traceLines: 2, feedbackPresent: false },
  ],
  [
    'integrity with damage',
    () => attempt.write('tool.calls.jsonl', 'x\n'),
    ({ integrity }) => integrity,
    {
      tracePresent: true,
      traceNonEmpty: true,
      traceLines: 1,
      feedbackPresent: true,
      invalidLines: 1,
    },
  ],
  [
    'integrity of a blind attempt without a prompt',
    () => changeFile('attempt.json', { blind: true }),
    ({ integrity }) => integrity,
    { tracePresent: true, traceNonEmpty: true, traceLines: 2, feedbackPresent: true },
  ],
  [
    'integrity of a contaminated prompt',
    () => {
      changeFile('attempt.json', { blind: true })
      attempt.write('prompt.txt', 'use zcl traces')
    },
    ({ integrity, decisionTags }) => [integrity, decisionTags],
    [
      {
        tracePresent: true,
        traceNonEmpty: true,
        traceLines: 2,
        feedbackPresent: true,
        promptContaminated: true,
        promptContaminationTerms: ['trace', 'zcl'],
      },
      ['contaminated_prompt', 'success'],
    ],
  ],
  [
    'integrity of a prompt that is not blind',
    () => attempt.write('prompt.txt', 'zcl'),
    ({ integrity }) => integrity,
    { tracePresent: true, traceNonEmpty: true, traceLines: 2, feedbackPresent: true },
  ],
  [
    'integrity with own terms',
    () => {
      changeFile('attempt.json', { blind: true, blindTerms: ['word'] })
      attempt.write('prompt.txt', 'a word of zcl')
    },
    ({ integrity }) => integrity?.promptContaminationTerms,
    ['word'],
  ],
  [
    'a claim without an action',
    () => attempt.write('tool.calls.jsonl', ''),
    ({ unproven }) => unproven,
    true,
  ],
  [
    'a claim that needs no action',
    () => {
      attempt.write('tool.calls.jsonl', '')
      changeFile('attempt.json', { allowUnproven: true })
    },
    ({ unproven }) => unproven,
    undefined,
  ],
  [
    'a failure without an action',
    () => {
      attempt.write('tool.calls.jsonl', '')
      changeFile('feedback.json', { ok: false })
    },
    ({ unproven }) => unproven,
    undefined,
  ],
  [
    'calls that the deadline refused',
    () => trace(refusal, refusal),
    ({ timedOutBeforeFirstToolCall: isIt }) => isIt,
    true,
  ],
  [
    'a call before the deadline',
    () => trace({}, refusal),
    ({ timedOutBeforeFirstToolCall: isIt }) => isIt,
    undefined,
  ],
  [
    'no call, and no timeout',
    () => attempt.write('tool.calls.jsonl', ''),
    ({ timedOutBeforeFirstToolCall: isIt }) => isIt,
    undefined,
  ],
  [
    'a timeout without a call',
    () => {
      attempt.write('tool.calls.jsonl', '')
      changeFile('feedback.json', { ok: false, decisionTags: ['timeout'] })
    },
    ({ timedOutBeforeFirstToolCall: isIt }) => isIt,
    true,
  ],
  [
    'the end without an outcome',
    () => remove('feedback.json'),
    ({ endedAt }) => endedAt,
    '2026-02-15T18:00:02.000Z',
  ],
  [
    'a histogram of failures',
    () => trace({ result: { ok: false, code: 'X' } }),
    ({ failureCodeHistogram }) => failureCodeHistogram,
    { X: 1 },
  ],
  [
    'a shim that was not called',
    () => changeFile('attempt.json', { shims: ['git', 'echo'] }),
    ({ warnings }) => warnings,
    [{ code: 'ZCL_W_SHIM_UNUSED', message: 'the shim of git was never called' }],
  ],
  [
    'shims that were called',
    () => changeFile('attempt.json', { shims: ['echo'] }),
    ({ warnings }) => warnings,
    undefined,
  ],
  [
    'all artifacts',
    () => {
      for (const name of [
        'notes.jsonl',
        'prompt.txt',
        'attempt.env.sh',
        'attempt.runtime.env.json',
      ])
        attempt.write(name, '')
      for (const name of ['runner.command.txt', 'runner.stdout.log', 'runner.stderr.log', 'other'])
        attempt.write(name, '')
    },
    ({ artifacts }) => artifacts,
    {
      attemptJson: 'attempt.json',
      toolCallsJsonl: 'tool.calls.jsonl',
      feedbackJson: 'feedback.json',
      notesJsonl: 'notes.jsonl',
      promptTxt: 'prompt.txt',
      attemptEnvSh: 'attempt.env.sh',
      attemptRuntimeEnvJson: 'attempt.runtime.env.json',
      runnerCommandTxt: 'runner.command.txt',
      runnerStdoutLog: 'runner.stdout.log',
      runnerStderrLog: 'runner.stderr.log',
    },
  ],
  [
    'mistyped members',
    () => {
      changeFile('attempt.json', {
        startedAt: 5,
        shims: ['x', 5],
        nativeResult: [],
        blind: 'x',
        blindTerms: 'x',
      })
      changeFile('feedback.json', {
        ok: 'x',
        result: 5,
        classification: 5,
        classificationBasis: 1,
        decisionTags: [1],
        createdAt: 5,
      })
    },
    ({ ok, startedAt, endedAt, result, classification, warnings, decisionTags }) => ({
      ...{ ok, startedAt, endedAt, result, classification, warnings, decisionTags },
    }),
    {
      endedAt: '2026-02-15T18:00:02.000Z',
      decisionTags: ['blocked'],
    },
  ],
  [
    'the members of the outcome',
    () =>
      changeFile('feedback.json', {
        classification: 'naming_ux',
        classificationBasis: 'trace',
        resultJson: { a: 1 },
      }),
    ({ classification, classificationBasis, resultJson, result }) => [
      classification,
      classificationBasis,
      resultJson,
      result,
    ],
    ['naming_ux', 'trace', { a: 1 }, 'x'],
  ],
])('a report has %s', (_, change, select, value) => {
  change()
  expect(select(reportOf())).toEqual(value)
})

test.each<[string, string | undefined, string | undefined, Event[], number]>([
  ['from the start to the outcome', '00', '30', [{ ts: '01' }], 30_000],
  [
    'to the end of a call that is later',
    '00',
    '30',
    [{ ts: '29', result: { durationMs: 5000 } }],
    34_000,
  ],
  ['to the outcome, not to a call that started later', '00', '30', [{ ts: '31' }], 30_000],
  [
    'to a call that starts with the outcome',
    '00',
    '30',
    [{ ts: '30', result: { durationMs: 2 } }],
    30_002,
  ],
  [
    'to the last call without an outcome',
    '00',
    undefined,
    [{ ts: '09', result: { durationMs: 10 } }],
    9010,
  ],
  ['from the first call without a start', undefined, '30', [{ ts: '10' }], 20_000],
  ['never below 0', '40', '30', [{ ts: '01' }], 0],
  ['of nothing', undefined, undefined, [], 0],
  ['without an end', '00', undefined, [], 0],
  ['without calls', '00', '30', [], 30_000],
])('the wall time runs %s', (_, start, end, events, wallTimeMs) => {
  const time = (seconds: unknown) => `2026-02-15T18:00:${String(seconds)}.000Z`
  changeFile('attempt.json', { startedAt: start === undefined ? 'x' : time(start) })
  if (end === undefined) remove('feedback.json')
  else changeFile('feedback.json', { createdAt: time(end) })
  trace(...events.map(({ ts, ...rest }) => ({ ts: time(ts), ...rest })))
  expect(made().report.metrics.wallTimeMs).toBe(wallTimeMs)
})
