import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createRedactor } from '@zee/core/redact'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { event, Lab, fileText, writeTrace, type Event, type LabAttempt } from '../../test/lab.ts'
import { attemptFromEnvironment, type AttemptContext } from '../attempt/attempt.ts'
import { attemptEnvironment } from '../attempt/environment.ts'
import { writeFeedback, type FeedbackRequest } from './feedback.ts'
import { appendNote, type NoteRequest } from './note.ts'
import { noteSchema } from '../schema/schema.ts'
import { validate } from '../validate/validate.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt({ agentId: 'agent' })
  writeTrace(attempt, [event(attempt)])
})
afterEach(() => lab.remove())

const redactor = createRedactor()
const token = `ghp_${'a1B2'.repeat(9)}`

function context(): AttemptContext {
  return attemptFromEnvironment(attemptEnvironment(attempt.ids, attempt.folder), '/')
}

function give(over: Partial<FeedbackRequest>): ReturnType<typeof writeFeedback> {
  const createdAt = '2026-02-15T18:00:30.000Z'
  const plain = { ok: true, isHypothesis: false, decisionTags: [], createdAt }
  return writeFeedback(context(), { ...plain, ...over }, redactor)
}

describe('writeFeedback', () => {
  test('writes the keys of the schema in order', async () => {
    await give({
      result: 'x',
      classification: 'naming_ux',
      decisionTags: ['timeout', 'blocked', 'timeout'],
    })
    expect(Object.keys(attempt.json('feedback.json'))).toEqual([
      'schemaVersion',
      'runId',
      'suiteId',
      'missionId',
      'attemptId',
      'ok',
      'result',
      'classification',
      'classificationBasis',
      'decisionTags',
      'createdAt',
      'redactionsApplied',
    ])
    expect(attempt.json('feedback.json').decisionTags).toEqual(['blocked', 'timeout'])
    expect(validate('x', attempt.folder, { strict: true }).errors).toEqual([])
  })

  test('redacts text, and every string and key of JSON', async () => {
    await give({ result: `the key is ${token}` })
    expect(attempt.read('feedback.json')).not.toContain(token)
    expect(attempt.json('feedback.json').redactionsApplied).toEqual(['github_token'])
    const json = { deep: [{ api_key: 'abcdef123456' }, token], [token]: 1 }
    await give({ resultJson: JSON.stringify(json) })
    expect(attempt.read('feedback.json')).not.toMatch(/a1B2|abcdef123456/)
  })

  test('stores JSON with sorted keys', async () => {
    await give({ resultJson: '{"b":{"d":1,"c":2},"a":[{"y":1,"x":2}],"__proto__":3}' })
    expect(JSON.stringify(attempt.json('feedback.json').resultJson)).toBe(
      '{"__proto__":3,"a":[{"x":2,"y":1}],"b":{"c":2,"d":1}}',
    )
  })

  test.each<[Partial<FeedbackRequest>, string]>([
    [{ result: 'x'.repeat(65_537) }, 'ZCL_E_BOUNDS'],
    [{ result: 'ü'.repeat(32_769) }, 'ZCL_E_BOUNDS'],
    [{ resultJson: JSON.stringify('x'.repeat(65_535)) }, 'ZCL_E_BOUNDS'],
    [{ resultJson: '['.repeat(5000) + ']'.repeat(5000) }, 'ZCL_E_BOUNDS'],
    [{ resultJson: `[${'[1],'.repeat(13_000)}1]` }, 'ZCL_E_BOUNDS'],
    [{ resultJson: '{' }, 'ZCL_E_INVALID_JSON'],
    [{ resultJson: '"\\ud800"' }, 'ZCL_E_CONTRACT'],
  ])('refuses an invalid result and writes nothing (case %#)', async (over, code) => {
    await expect(give(over)).rejects.toMatchObject({ code, exitCode: 2 })
    expect(() => attempt.read('feedback.json')).toThrow(/ENOENT/)
  })

  test('accepts a result of exactly 64 KiB', async () => {
    await give({ result: 'x'.repeat(65_536) })
    await give({ resultJson: JSON.stringify('x'.repeat(65_534)) })
  })

  test('suspects a bypass without traced actions, and refuses it in ci mode', async () => {
    unlinkSync(attempt.file('tool.calls.jsonl'))
    expect(await give({ result: 'x' })).toMatchObject({ bypassSuspected: true })
    attempt.write('tool.calls.jsonl', '\n')
    attempt.write('attempt.json', { ...attempt.json('attempt.json'), mode: 'ci' })
    await expect(give({ result: 'y' })).rejects.toMatchObject({ code: 'ZCL_E_MISSING_EVIDENCE' })
    expect(attempt.json('feedback.json').result).toBe('x')
  })

  test('bases a classification on the trace only if a finding agrees', async () => {
    const basis = () => attempt.json('feedback.json').classificationBasis
    await give({ result: 'x', classification: 'missing_primitive' })
    expect(basis()).toBe('hypothesis')
    const failed: Event = { result: { ok: false, code: 'ZCL_E_SPAWN', durationMs: 1 } }
    writeTrace(attempt, [event(attempt, failed)])
    await give({ result: 'x', classification: 'missing_primitive' })
    expect(basis()).toBe('trace')
    await give({ result: 'x', classification: 'missing_primitive', isHypothesis: true })
    expect(basis()).toBe('hypothesis')
  })

  test('refuses a result that is not of the type in the suite', async () => {
    const expects = { result: { type: 'json', requiredJsonPointers: ['/title'] } }
    const suite = { suiteId: 'smoke', version: 1, missions: [{ missionId: 'hello', expects }] }
    writeFileSync(path.join(attempt.runFolder, 'suite.json'), fileText(suite))
    await expect(give({ result: 'x' })).rejects.toMatchObject({
      code: 'ZCL_E_EXPECT_RESULT_TYPE',
      exitCode: 2,
    })
    await expect(give({ resultJson: '{}' })).rejects.toMatchObject({
      code: 'ZCL_E_EXPECT_RESULT_JSON_POINTER',
    })
    await give({ resultJson: '{"title":null}' })
  })

  test('does not write through a symlink', async () => {
    const outside = path.join(lab.root, 'outside')
    writeFileSync(outside, 'untouched')
    symlinkSync(outside, attempt.file('feedback.json'))
    await expect(give({ result: 'x' })).rejects.toMatchObject({ code: 'ZCL_E_CONTAINMENT' })
    expect(readFileSync(outside, 'utf8')).toBe('untouched')
  })
})

describe('appendNote', () => {
  const note = (over: Partial<NoteRequest>) =>
    appendNote(
      context(),
      { kind: 'agent', tags: [], at: new Date('2026-02-15T18:00:12.000Z'), ...over },
      redactor,
    )
  const lines = () =>
    attempt
      .read('notes.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  test('writes the keys of the schema in order', async () => {
    await note({ message: 'x', tags: ['a', 'b', 'a'] })
    await note({ dataJson: '{"b":1,"a":{"10":1,"9":2}}' })
    const known = Object.keys(noteSchema.shape)
    const [first, second] = lines()
    expect(Object.keys(first ?? {})).toEqual(known.filter((key) => key !== 'data'))
    expect(Object.keys(second ?? {})).toEqual(
      known.filter((key) => key !== 'message' && key !== 'tags'),
    )
    expect(first?.tags).toEqual(['a', 'b'])
    expect(attempt.read('notes.jsonl')).toContain('"data":{"a":{"10":1,"9":2},"b":1}')
    attempt.write('feedback.json', {
      schemaVersion: 1,
      ...attempt.ids,
      ok: true,
      result: 'x',
      createdAt: '2026-02-15T18:00:12Z',
    })
    expect(validate('x', attempt.folder, { strict: true }).errors).toEqual([])
  })

  test('redacts messages, data and tags', async () => {
    await note({ message: `x ${token}`, tags: [token] })
    await note({ dataJson: JSON.stringify({ password: 'hunter22x', list: [token] }) })
    expect(attempt.read('notes.jsonl')).not.toMatch(/a1B2|hunter22x/)
  })

  test.each<Partial<NoteRequest>>([
    { message: 'x'.repeat(16_385) },
    { dataJson: JSON.stringify('x'.repeat(65_540)) },
    { message: 'x', tags: ['x'.repeat(65)] },
    { message: 'x', tags: Array.from({ length: 65 }, (_, index) => `t${index}`) },
  ])('refuses a note over its cap (case %#)', async (over) => {
    await expect(note(over)).rejects.toMatchObject({ code: 'ZCL_E_BOUNDS', exitCode: 2 })
    expect(() => attempt.read('notes.jsonl')).toThrow(/ENOENT/)
  })

  test('does not append through a symlink', async () => {
    symlinkSync('/dev/null', attempt.file('notes.jsonl'))
    await expect(note({ message: 'x' })).rejects.toMatchObject({ code: 'ZCL_E_CONTAINMENT' })
  })
})
