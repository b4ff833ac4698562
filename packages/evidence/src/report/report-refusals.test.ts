import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { event, fileText, Lab, writeTrace, type Event, type LabAttempt } from '../../test/lab.ts'
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

describe('the tokens of a report', () => {
  const http = { tool: 'http', enrichment: { http: { usage: { totalTokens: 9, model: 'h' } } } }

  test.each<[Event | undefined, Event[], unknown]>([
    [
      {
        model: 'm',
        modelProvider: 'p',
        inputTokens: 1,
        outputTokens: 2,
        totalTokens: 3,
        cachedInputTokens: 4,
        cacheWriteTokens: 5,
      },
      [],
      [
        {
          source: 'runner.metrics',
          basis: 'reported',
          inputTokens: 1,
          outputTokens: 2,
          totalTokens: 3,
          cachedInputTokens: 4,
          cacheWriteTokens: 5,
          costUsd: 0.5,
        },
        [
          {
            model: 'm',
            modelProvider: 'p',
            inputTokens: 1,
            outputTokens: 2,
            totalTokens: 3,
            cachedInputTokens: 4,
            cacheWriteTokens: 5,
          },
        ],
      ],
    ],
    [
      { model: 5, inputTokens: 1.5, totalTokens: 0 },
      [],
      [
        { source: 'runner.metrics', basis: 'reported', totalTokens: 0, costUsd: 0.5 },
        [{ totalTokens: 0 }],
      ],
    ],
    [
      { model: 'm' },
      [http],
      [
        {
          source: 'http.usage',
          basis: 'reported',
          totalTokens: 9,
          inputTokens: 0,
          outputTokens: 0,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          costUsd: 0.5,
        },
        [
          {
            model: 'h',
            totalTokens: 9,
            inputTokens: 0,
            outputTokens: 0,
            cachedInputTokens: 0,
            cacheWriteTokens: 0,
          },
        ],
      ],
    ],
    [
      undefined,
      [http],
      [
        {
          source: 'http.usage',
          basis: 'reported',
          totalTokens: 9,
          inputTokens: 0,
          outputTokens: 0,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          costUsd: 0.5,
        },
        [
          {
            model: 'h',
            totalTokens: 9,
            inputTokens: 0,
            outputTokens: 0,
            cachedInputTokens: 0,
            cacheWriteTokens: 0,
          },
        ],
      ],
    ],
    [
      undefined,
      [{}],
      [
        {
          source: 'trace-heuristic',
          basis: 'estimated',
          inputTokens: 6,
          outputTokens: 0,
          totalTokens: 6,
        },
        [],
      ],
    ],
  ])('of runner metrics %j and the events %j', (metrics, events, tokens) => {
    if (metrics !== undefined) attempt.write('runner.metrics.json', metrics)
    trace(...events)
    const asked: unknown[] = []
    const costOf = (usage: unknown) => {
      asked.push(usage)
      return 0.5
    }
    const { tokenEstimates } = made({ costOf }).report
    expect([tokenEstimates, asked]).toEqual(tokens)
  })

  test('have no cost if it is unknown', () => {
    attempt.write('runner.metrics.json', { totalTokens: 7 })
    const reported = { source: 'runner.metrics', basis: 'reported', totalTokens: 7 }
    expect(made({ costOf: () => undefined }).report.tokenEstimates).toEqual(reported)
  })
})

function refusalOf(strictness: ReportOptions['strictness']): string {
  try {
    made({ strictness })
    return 'made'
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code} ${message}`
  }
}

const deep = (levels: number) => `{"resultJson":${'['.repeat(levels)}${']'.repeat(levels)}}`

test.each<[string, () => void, string, string]>([
  ['nothing', () => undefined, 'made', 'made'],
  [
    'no attempt.json',
    () => remove('attempt.json'),
    'ZCL_E_MISSING_ARTIFACT attempt.json is not there',
    'made',
  ],
  [
    'no trace',
    () => remove('tool.calls.jsonl'),
    'ZCL_E_MISSING_ARTIFACT tool.calls.jsonl is not there',
    'made',
  ],
  [
    'no outcome',
    () => remove('feedback.json'),
    'ZCL_E_MISSING_ARTIFACT feedback.json is not there',
    'made',
  ],
  [
    'no action',
    () => attempt.write('tool.calls.jsonl', ''),
    'ZCL_E_MISSING_EVIDENCE tool.calls.jsonl holds no action',
    'made',
  ],
  [
    'no action where none is needed',
    () => {
      attempt.write('tool.calls.jsonl', '')
      changeFile('attempt.json', { allowUnproven: true })
    },
    'made',
    'made',
  ],
  [
    'no trace where none is needed',
    () => {
      remove('tool.calls.jsonl')
      changeFile('feedback.json', { ok: false, resultJson: { kind: 'infra_failure', code: 'X' } })
    },
    'made',
    'made',
  ],
  [
    'an outcome of another version',
    () => changeFile('feedback.json', { schemaVersion: 2 }),
    'ZCL_E_SCHEMA_UNSUPPORTED feedback.json: schemaVersion is not 1',
    'made',
  ],
  [
    'an outcome without a version',
    () => changeFile('feedback.json', { schemaVersion: undefined }),
    'made',
    'made',
  ],
  [
    'an outcome that does not parse',
    () => attempt.write('feedback.json', '{'),
    'ZCL_E_INVALID_JSON feedback.json does not parse: a character is out of place at position 1',
    'made',
  ],
  [
    'an outcome out of the run',
    () => {
      remove('feedback.json')
      symlinkSync('/etc/passwd', attempt.file('feedback.json'))
    },
    'ZCL_E_CONTAINMENT feedback.json leaves the run',
    'made',
  ],
  [
    'an outcome that nests 128 levels deep',
    () => attempt.write('feedback.json', deep(128)),
    'made',
    'made',
  ],
  [
    'an outcome that nests 129 levels deep',
    () => attempt.write('feedback.json', deep(129)),
    'made',
    'made',
  ],
  [
    'an outcome that nests 130 levels deep',
    () => attempt.write('feedback.json', deep(130)),
    'ZCL_E_BOUNDS feedback.json nests too deep',
    'ZCL_E_BOUNDS feedback.json nests too deep',
  ],
  [
    'an outcome that nests too deep to be read',
    () => attempt.write('feedback.json', deep(600)),
    'ZCL_E_BOUNDS feedback.json nests too deep',
    'ZCL_E_BOUNDS feedback.json nests too deep',
  ],
])('makeReport answers %s, strict and lenient', (_, damage, strict, lenient) => {
  damage()
  expect(refusalOf('strict')).toEqual(strict)
  expect(refusalOf('by_mode')).toEqual(lenient)
})

test('by_mode is strict in ci mode only', () => {
  remove('feedback.json')
  changeFile('attempt.json', { mode: 'ci' })
  expect(refusalOf('by_mode')).toBe('ZCL_E_MISSING_ARTIFACT feedback.json is not there')
  expect(refusalOf('lenient')).toBe('made')
  changeFile('attempt.json', { mode: 'discovery' })
  expect(refusalOf('by_mode')).toBe('made')
})

test.each<[string, Event | undefined, Event | undefined, string[]]>([
  ['of attempt.json', {}, {}, ['20260215-180012Z-09c5a6', 'smoke', 'hello', '001-hello-r1']],
  [
    'of the outcome',
    undefined,
    { missionId: 'other' },
    ['20260215-180012Z-09c5a6', 'smoke', 'other', '001-hello-r1'],
  ],
  [
    'of the run and the folders',
    undefined,
    undefined,
    ['run-of-file', 'suite-of-file', 'hello', '001-hello-r1'],
  ],
  [
    'of the folders for those that are empty',
    { runId: '', suiteId: 5, missionId: '', attemptId: '' },
    {},
    ['run-of-file', 'suite-of-file', 'hello', '001-hello-r1'],
  ],
])('a report has the ids %s', (_, file, outcome, ids) => {
  if (file === undefined) remove('attempt.json')
  else changeFile('attempt.json', file)
  if (outcome === undefined) remove('feedback.json')
  else changeFile('feedback.json', outcome)
  const run = { runId: 'run-of-file', suiteId: 'suite-of-file' }
  writeFileSync(path.join(attempt.runFolder, 'run.json'), fileText(run))
  const { report } = made()
  expect([report.runId, report.suiteId, report.missionId, report.attemptId]).toEqual(ids)
})

test('a report of an attempt without a run has the ids of its folder', () => {
  remove('attempt.json', 'feedback.json')
  const place = { folder: attempt.folder, runFolder: undefined, name: 'no-id' }
  const background = readRunBackground(undefined)
  expect(background).toEqual({ run: undefined, suite: undefined })
  const { report } = makeReport(place, background, { strictness: 'lenient', computedAt })
  expect([report.runId, report.suiteId, report.missionId, report.attemptId]).toEqual([
    '',
    '',
    '',
    'no-id',
  ])
})

test.each<[string, Event[], Event, unknown]>([
  ['an attempt without a suite', [], {}, undefined],
  ['a mission without expectations', [{ missionId: 'hello' }], {}, undefined],
  [
    'an expectation that holds',
    [{ missionId: 'hello', expects: { ok: true } }],
    {},
    { evaluated: true, ok: true, failures: [] },
  ],
  [
    'an expectation that fails',
    [{ missionId: 'hello', expects: { ok: false, trace: { maxToolCallsTotal: 1 } } }],
    {},
    {
      evaluated: true,
      ok: false,
      failures: [
        {
          code: 'ZCL_E_EXPECT_OK',
          message: 'ok should be false, it is true',
          path: 'feedback.json',
        },
        {
          code: 'ZCL_E_EXPECT_MAX_TOOL_CALLS',
          message: '2 calls, at most 1 expected',
          path: 'tool.calls.jsonl',
        },
      ],
    },
  ],
])('a report has the expectations of %s', (_, missions, _over, expectations) => {
  if (missions.length > 0) {
    writeFileSync(
      path.join(attempt.runFolder, 'suite.json'),
      fileText({ suiteId: 'smoke', missions }),
    )
  }
  expect(made().report.expectations).toEqual(expectations)
})
