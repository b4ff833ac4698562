import { createRedactor } from '@zee/core/redact'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { epochMs, openExport, type GateMode } from './source.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

const secret = `ghp_${'a1B2'.repeat(9)}`

const openRun = ({ runFolder, ids }: LabAttempt, mode: GateMode = 'refuse') =>
  openExport({ kind: 'run', folder: runFolder, name: ids.runId }, createRedactor(), mode)

test('an export of a run has its attempts in order, and knows the superseded tries', async () => {
  lab.attempt({}, '001-hello-r1')
  const second = lab.complete({}, '001-hello-r2')
  lab.attempt({ missionId: 'other' }, '010-other-r1')
  lab.attempt({ missionId: 'other' }, '002-other-r1')
  const { runId, suiteId, attempts } = await openRun(second)
  expect([runId, suiteId]).toEqual([second.ids.runId, 'smoke'])
  expect(attempts.map(({ attemptId, isSuperseded }) => [attemptId, isSuperseded])).toEqual([
    ['001-hello-r1', true],
    ['001-hello-r2', false],
    ['002-other-r1', false],
    ['010-other-r1', false],
  ])
})

test('an export of an attempt has this attempt alone, which is not superseded', async () => {
  const first = lab.attempt({}, '001-hello-r1')
  lab.complete({}, '001-hello-r2')
  first.write('prompt.txt', 'go')
  const { folder, runFolder } = first
  const { attempts } = await openExport(
    { kind: 'attempt', folder, runFolder, name: '001-hello-r1' } as never,
    createRedactor(),
    'refuse',
  )
  expect(attempts).toMatchObject([
    { attemptId: '001-hello-r1', isSuperseded: false, prompt: 'go', feedback: undefined },
  ])
})

test('an attempt without attempt.json cannot be exported', async () => {
  const attempt = lab.attempt()
  attempt.write('attempt.json', 'damaged')
  await expect(openRun(attempt)).rejects.toMatchObject({
    code: 'ZCL_E_MISSING_ARTIFACT',
    message: '001-hello-r1: attempt.json is missing or cannot be read',
  })
})

test.each([
  ['feedback.json', { schemaVersion: 1, ok: true, result: secret }, '001-hello-r1/feedback.json'],
  ['runner.metrics.json', { model: secret }, '001-hello-r1/runner.metrics.json'],
  ['attempt.outcome.json', { message: secret }, '001-hello-r1/attempt.outcome.json'],
  ['prompt.txt', `use ${secret}`, '001-hello-r1/prompt.txt'],
])('a secret in %s stops the export, or is replaced', async (name, content, place) => {
  const attempt = lab.complete()
  attempt.write(name, content)
  const failure = { code: 'ZCL_E_UNSAFE_EVIDENCE' }
  await expect(openRun(attempt)).rejects.toMatchObject(failure)
  await expect(openRun(attempt)).rejects.toThrow(
    `${place} holds what looks like a secret (github_token); nothing was exported (use --redact to replace it)`,
  )
  const { attempts } = await openRun(attempt, 'replace')
  expect(JSON.stringify(attempts)).not.toContain('a1B2')
})

test('a secret in the last event stops the export before its first byte', async () => {
  const attempt = lab.attempt()
  const unsafe = event(attempt, { input: { argv: ['echo', secret] } })
  writeTrace(attempt, [event(attempt), unsafe])
  await expect(openRun(attempt)).rejects.toThrow('001-hello-r1/tool.calls.jsonl, event 2, holds')
  const { attempts } = await openRun(attempt, 'replace')
  const inputs: string[] = []
  for await (const { input } of attempts[0]?.events() ?? []) inputs.push(JSON.stringify(input))
  expect(inputs).toHaveLength(2)
  expect(inputs.join()).not.toContain('a1B2')
})

test('a time is in milliseconds, or undefined', () => {
  expect(epochMs('1970-01-01T00:00:01Z')).toBe(1000)
  for (const value of ['soon', '', 5, undefined]) expect(epochMs(value)).toBeUndefined()
})
