import { readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { event, feedback, Lab, runId, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { artifactText } from '../artifact/write.ts'
import { makeReport, readRunBackground } from './make-report.ts'
import type { AttemptReport, ReportOptions } from './make-report.ts'
import { reportSchema, runReportSchema } from '../schema/reports.ts'
import { readRun, reportAttempt, reportRun } from './report.ts'

const fixtures = path.resolve(import.meta.dirname, '../../test/fixtures')
const goldenRun = path.join(fixtures, 'runs', runId)
const computedAt = '2026-02-16T00:00:00.000Z'
const lenient = { strictness: 'lenient', computedAt } as const

function golden(name: string, made: string): void {
  const file = path.join(fixtures, 'expected', name)
  if (process.env.ZEE_UPDATE_GOLDEN === '1') writeFileSync(file, made)
  expect(made).toBe(readFileSync(file, 'utf8'))
}

describe('golden reports', () => {
  test.each(['001-hello-r1', '002-hello-r1', '003-hello-r1'])(
    'makeReport reproduces the report of %s byte for byte',
    (name) => {
      const folder = path.join(goldenRun, 'attempts', name)
      const place = { folder, name, runFolder: goldenRun }
      const { report } = makeReport(place, readRunBackground(goldenRun), lenient)
      golden(`${name}.report.json`, artifactText(report))
      expect(z.safeParse(reportSchema, report).success).toBe(true)
      const known = Object.keys(reportSchema.shape)
      expect(Object.keys(report)).toEqual(known.filter((key) => key in report))
    },
  )

  test('readRun reproduces the report of the run byte for byte', async () => {
    const { report } = await readRun(goldenRun, lenient)
    golden('run.report.json', artifactText(report))
    expect(z.safeParse(runReportSchema, report).success).toBe(true)
  })
})

describe('makeReport', () => {
  let lab: Lab
  let attempt: LabAttempt

  beforeEach(() => {
    lab = new Lab()
    attempt = lab.complete()
  })
  afterEach(() => lab.remove())

  function report(options: ReportOptions = lenient): AttemptReport {
    const { folder, runFolder, ids } = attempt
    return makeReport(
      { folder, runFolder, name: ids.attemptId },
      readRunBackground(runFolder),
      options,
    )
  }

  function codeOf(work: () => unknown): string {
    try {
      work()
      return 'none'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  const strict = { strictness: 'strict', computedAt } as const

  test.each<[string, () => void, string]>([
    ['attempt.json', () => unlinkSync(attempt.file('attempt.json')), 'ZCL_E_MISSING_ARTIFACT'],
    ['the trace', () => unlinkSync(attempt.file('tool.calls.jsonl')), 'ZCL_E_MISSING_ARTIFACT'],
    ['feedback', () => unlinkSync(attempt.file('feedback.json')), 'ZCL_E_MISSING_ARTIFACT'],
    ['any action', () => attempt.write('tool.calls.jsonl', ''), 'ZCL_E_MISSING_EVIDENCE'],
    [
      'a sound line',
      () => attempt.write('tool.calls.jsonl', `${attempt.read('tool.calls.jsonl')}{"torn`),
      'ZCL_E_INVALID_JSONL',
    ],
    ['sound JSON', () => attempt.write('feedback.json', '{'), 'ZCL_E_INVALID_JSON'],
  ])('refuses an attempt without %s in strict mode', (_, damage, code) => {
    expect(codeOf(() => report(strict))).toBe('none')
    damage()
    expect(codeOf(() => report(strict))).toBe(code)
    expect(codeOf(() => report())).toBe('none')
    expect(codeOf(() => report({ strictness: 'by_mode', computedAt }))).toBe('none')
  })

  test('is strict for attempts in ci mode', () => {
    attempt.write('attempt.json', { ...attempt.json('attempt.json'), mode: 'ci' })
    unlinkSync(attempt.file('feedback.json'))
    expect(codeOf(() => report({ strictness: 'by_mode', computedAt }))).toBe(
      'ZCL_E_MISSING_ARTIFACT',
    )
  })

  test('gives the same bytes for the same evidence; runner metrics change only the tokens', () => {
    const first = artifactText(report().report)
    attempt.write('runner.ref.json', { schemaVersion: 1 })
    expect(artifactText(report().report)).toBe(first)
    attempt.write('runner.metrics.json', { schemaVersion: 1, runner: 'x', totalTokens: 7 })
    const { tokenEstimates, ...rest } = report().report
    expect(tokenEstimates).toEqual({
      source: 'runner.metrics',
      basis: 'reported',
      totalTokens: 7,
    })
    const { tokenEstimates: _, ...before } = JSON.parse(first) as Record<string, unknown>
    expect(rest).toEqual(before)
  })

  test('takes ids from the outcome, then from the folders, if attempt.json is missing', () => {
    unlinkSync(attempt.file('attempt.json'))
    expect(report().report).toMatchObject(attempt.ids)
    unlinkSync(attempt.file('feedback.json'))
    expect(report().report).toMatchObject(attempt.ids)
  })

  test('reports zeros for an empty attempt', () => {
    for (const name of ['attempt.json', 'feedback.json', 'tool.calls.jsonl']) {
      unlinkSync(attempt.file(name))
    }
    const made = report().report
    expect(made.metrics.toolCallsTotal).toBe(0)
    expect(made.integrity).toEqual({
      tracePresent: false,
      traceNonEmpty: false,
      traceLines: 0,
      feedbackPresent: false,
    })
    expect(made.decisionTags).toEqual(['missing_evidence'])
    expect(made.ok).toBeUndefined()
    expect(made.traceRoot).toBeUndefined()
  })

  test('reports a timeout before the first call if the deadline refused every call', () => {
    const refused = { result: { ok: false, code: 'ZCL_E_TIMEOUT', durationMs: 0 } }
    writeTrace(attempt, [event(attempt, refused)])
    expect(report().report).toMatchObject({ timedOutBeforeFirstToolCall: true })
    writeTrace(attempt, [event(attempt), event(attempt, refused)])
    expect(report().report.timedOutBeforeFirstToolCall).toBeUndefined()
  })

  test('survives values that nest 50,000 levels deep', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const line = JSON.stringify(event(attempt)).replace('["echo","x"]', deep)
    attempt.write('tool.calls.jsonl', `${line}\n`)
    expect(report().report.metrics.toolCallsTotal).toBe(1)
    attempt.write('feedback.json', `{"ok":true,"resultJson":${deep}}`)
    expect(codeOf(() => report())).toBe('ZCL_E_BOUNDS')
  })

  test('refuses a trace that is a symlink out of the run', () => {
    unlinkSync(attempt.file('tool.calls.jsonl'))
    symlinkSync('/etc/passwd', attempt.file('tool.calls.jsonl'))
    expect(codeOf(() => report())).toBe('ZCL_E_CONTAINMENT')
  })

  test('does not write a report through a symlink', async () => {
    const outside = path.join(lab.root, 'outside')
    writeFileSync(outside, 'untouched')
    symlinkSync(outside, attempt.file('attempt.report.json'))
    const place = { folder: attempt.folder, runFolder: attempt.runFolder, name: '001-hello-r1' }
    await expect(reportAttempt(place, lenient)).rejects.toMatchObject({ code: 'ZCL_E_CONTAINMENT' })
    expect(readFileSync(outside, 'utf8')).toBe('untouched')
  })

  test('reportRun writes no run report if it refuses an attempt', async () => {
    const second = lab.complete({}, '002-hello-r1')
    second.write('feedback.json', feedback(second, { ok: false }))
    const { report: run } = await reportRun(attempt.runFolder, lenient)
    expect(run.attempts.map(({ attemptId, ok }) => [attemptId, ok])).toEqual([
      ['001-hello-r1', true],
      ['002-hello-r1', false],
    ])
    expect(second.json('attempt.report.json')).toMatchObject({ ok: false, computedAt })
    rmSync(path.join(attempt.runFolder, 'run.report.json'))
    unlinkSync(second.file('feedback.json'))
    unlinkSync(second.file('attempt.report.json'))
    const { refused } = await reportRun(attempt.runFolder, strict)
    expect(refused).toMatchObject([{ attemptId: '002-hello-r1', code: 'ZCL_E_MISSING_ARTIFACT' }])
    expect(() => readFileSync(path.join(attempt.runFolder, 'run.report.json'))).toThrow(/ENOENT/)
    expect(() => second.read('attempt.report.json')).toThrow(/ENOENT/)
  })

  test('readRun sorts attempts by index, also beyond 999', async () => {
    for (const name of ['1000-hello-r1', '999-hello-r1']) lab.complete({}, name)
    const { report: run } = await readRun(attempt.runFolder, lenient)
    expect(run.attempts.map(({ attemptId }) => attemptId)).toEqual([
      '001-hello-r1',
      '999-hello-r1',
      '1000-hello-r1',
    ])
  })
})
