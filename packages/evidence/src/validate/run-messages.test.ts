import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileText, Lab, runId, type Event, type LabAttempt } from '../../test/lab.ts'
import { linesOf, Patient } from '../../test/validating.ts'
import { validate } from './validate.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

/** The findings about the run, each as `level code path: message`. */
function linesOfRun(strict: boolean): string[] {
  return linesOf(patient, strict, attempt.runFolder)
}

const inRun = (name: string): string => path.join(attempt.runFolder, name)
const run = (over: Event): void =>
  writeFileSync(
    inRun('run.json'),
    fileText({
      schemaVersion: 1,
      runId,
      suiteId: 'smoke',
      createdAt: '2026-02-15T18:00:12Z',
      ...over,
    }),
  )
const report = (over: Event): void =>
  writeFileSync(
    inRun('run.report.json'),
    fileText({
      schemaVersion: 1,
      ok: true,
      target: 'run',
      runId,
      suiteId: 'smoke',
      path: '.',
      attempts: [],
      aggregate: { attemptsTotal: 1, passed: 1, failed: 0 },
      ...over,
    }),
  )
const removeInRun = (name: string): void => rmSync(inRun(name), { recursive: true })

test.each<[string, () => void, string[], string[]?]>([
  ['a report', () => report({}), []],
  ['no run.json', () => removeInRun('run.json'), ['E MISSING_ARTIFACT run.json: it is not there']],
  [
    'no attempts',
    () => removeInRun('attempts'),
    ['E MISSING_ARTIFACT attempts: it is not there'],
    [],
  ],
  [
    'a file called attempts',
    () => {
      removeInRun('attempts')
      writeFileSync(inRun('attempts'), '')
    },
    ['E CONTAINMENT attempts: it is not a folder, or a link that leaves the run'],
  ],
  [
    'attempts outside',
    () => {
      removeInRun('attempts')
      symlinkSync('/etc', inRun('attempts'))
    },
    ['E CONTAINMENT attempts: it is not a folder, or a link that leaves the run'],
  ],
  [
    'another id of the run',
    () => run({ runId: '20260215-180012Z-eeeeee' }),
    [
      'E ID_MISMATCH run.json: runId "20260215-180012Z-eeeeee" is not the folder\'s name',
      'E ID_MISMATCH attempts/001-hello-r1/attempt.json: runId "20260215-180012Z-09c5a6" is not that of the attempt',
    ],
  ],
  [
    'an id of the run that is too long',
    () => run({ runId: 'x'.repeat(90) }),
    [
      'E CONTRACT run.json: runId is not a run id',
      'E ID_MISMATCH run.json: runId "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not the folder\'s name',
      'E ID_MISMATCH attempts/001-hello-r1/attempt.json: runId "20260215-180012Z-09c5a6" is not that of the attempt',
    ],
  ],
  [
    'an id that is no text',
    () => run({ runId: 5, suiteId: 5 }),
    [
      'E CONTRACT run.json: runId is not of type string',
      'E CONTRACT run.json: suiteId is not of type string',
    ],
  ],
  [
    'another suite',
    () => run({ suiteId: 'other' }),
    [
      'E ID_MISMATCH attempts/001-hello-r1/attempt.json: suiteId "smoke" is not that of the attempt',
    ],
  ],
  [
    'a suite that is no JSON',
    () => writeFileSync(inRun('suite.json'), ']'),
    ['E INVALID_JSON suite.json: a character is out of place'],
  ],
  [
    'a report of another run',
    () => report({ runId: '20260215-180012Z-eeeeee', suiteId: 'x' }),
    [
      'E ID_MISMATCH run.report.json: runId "20260215-180012Z-eeeeee" is not that of the attempt',
      'E ID_MISMATCH run.report.json: suiteId "x" is not that of the attempt',
    ],
  ],
  [
    'a report that lacks fields',
    () => report({ ok: 'x', target: 'attempt', path: 5, aggregate: {} }),
    [
      'E CONTRACT run.report.json: ok is not of type boolean',
      'E CONTRACT run.report.json: target is not one of run',
      'E CONTRACT run.report.json: path is not of type string',
      'E CONTRACT run.report.json: aggregate.attemptsTotal is missing',
      'E CONTRACT run.report.json: aggregate.passed is missing',
      'E CONTRACT run.report.json: aggregate.failed is missing',
    ],
    [
      'E CONTRACT run.report.json: ok is not of type boolean',
      'W CONTRACT run.report.json: target is not one of run',
      'W CONTRACT run.report.json: path is not of type string',
      'W CONTRACT run.report.json: aggregate.attemptsTotal is missing',
      'W CONTRACT run.report.json: aggregate.passed is missing',
      'W CONTRACT run.report.json: aggregate.failed is missing',
    ],
  ],
  [
    'an absolute path',
    () => report({ path: '/x' }),
    [
      'W CONTRACT run.report.json: path is absolute, so it is wrong after a move; zcl report writes a relative one',
    ],
  ],
  [
    'an absolute path with a drive',
    () => report({ path: 'C:x' }),
    [
      'W CONTRACT run.report.json: path is absolute, so it is wrong after a move; zcl report writes a relative one',
    ],
  ],
  [
    'a path that starts with a backslash',
    () => report({ path: '\\x' }),
    [
      'W CONTRACT run.report.json: path is absolute, so it is wrong after a move; zcl report writes a relative one',
    ],
  ],
  [
    'a path to the parent',
    () => report({ path: '..' }),
    ['E CONTAINMENT run.report.json: path leaves its folder'],
  ],
  [
    'a path over the parent',
    () => report({ path: 'a\\..\\b' }),
    ['E CONTAINMENT run.report.json: path leaves its folder'],
  ],
  ['a path with dots', () => report({ path: 'a/..b/c..' }), []],
  [
    'other JSON',
    () => writeFileSync(inRun('other.json'), '{'),
    ['E INVALID_JSON other.json: a character is out of place at position 1'],
  ],
  [
    'hidden and other files',
    () => {
      writeFileSync(inRun('.other.json'), '{')
      writeFileSync(inRun('other.jsonl'), '{')
    },
    [],
  ],
  [
    'a file among the attempts',
    () => writeFileSync(inRun('attempts/notes.txt'), ''),
    ['W CONTRACT attempts/notes.txt: it is not the folder of an attempt'],
  ],
  [
    'a link to another attempt',
    () => symlinkSync('001-hello-r1', inRun('attempts/002-hello-r1')),
    [
      'E ID_MISMATCH attempts/002-hello-r1/attempt.json: attemptId "001-hello-r1" is not the folder\'s name',
      'W CONTRACT attempts/002-hello-r1: it is a link to another folder of the run',
    ],
  ],
  [
    'a link to a file',
    () => symlinkSync('../run.json', inRun('attempts/002-hello-r1')),
    ['E CONTAINMENT attempts/002-hello-r1: it is a link that leaves the run or leads nowhere'],
  ],
  [
    'a link to nothing',
    () => symlinkSync('nothing', inRun('attempts/002-hello-r1')),
    ['E CONTAINMENT attempts/002-hello-r1: it is a link that leaves the run or leads nowhere'],
  ],
  [
    'a link out of the run',
    () => symlinkSync('/etc', inRun('attempts/002-hello-r1')),
    ['E CONTAINMENT attempts/002-hello-r1: it is a link that leaves the run or leads nowhere'],
  ],
  [
    'an attempt that is empty',
    () => mkdirSync(inRun('attempts/002-hello-r1')),
    [
      'E MISSING_ARTIFACT attempts/002-hello-r1/attempt.json: it is not there',
      'E MISSING_ARTIFACT attempts/002-hello-r1/tool.calls.jsonl: it is not there',
      'E MISSING_ARTIFACT attempts/002-hello-r1/feedback.json: it is not there',
    ],
    [
      'E MISSING_ARTIFACT attempts/002-hello-r1/attempt.json: it is not there',
      'W MISSING_ARTIFACT attempts/002-hello-r1/tool.calls.jsonl: it is not there',
      'W MISSING_ARTIFACT attempts/002-hello-r1/feedback.json: it is not there',
    ],
  ],
  [
    'an attempt with a secret key',
    () => attempt.write('x.json', { a: `ghp_${'a1B2'.repeat(9)}` }),
    [
      'E UNSAFE_EVIDENCE attempts/001-hello-r1/x.json: a holds what looks like a secret (github_token)',
    ],
    [
      'W UNSAFE_EVIDENCE attempts/001-hello-r1/x.json: a holds what looks like a secret (github_token)',
    ],
  ],
])('validate tells about a run with %s', (_, damage, strict, lenient = strict) => {
  damage()
  expect(linesOfRun(true)).toEqual(strict)
  expect(linesOfRun(false)).toEqual(lenient)
})

test('validate tells that a folder is neither an attempt nor a run', () => {
  const result = validate('shown', lab.root, { strict: false })
  expect(result).toEqual({
    ok: false,
    strict: false,
    target: 'unknown',
    path: 'shown',
    errors: [{ code: 'ZCL_E_USAGE', message: 'it is neither an attempt nor a run', path: '.' }],
    warnings: [],
  })
})

test('validate tells about the link of an attempt that leaves its run, with the given strictness', () => {
  const link = inRun('attempts/002-hello-r1')
  symlinkSync('/etc', link)
  const result = validate('shown', link, { strict: false })
  expect(result).toEqual({
    ok: false,
    strict: false,
    target: 'attempt',
    path: 'shown',
    errors: [
      {
        code: 'ZCL_E_CONTAINMENT',
        message: 'the folder is a link that leaves its run',
        path: '.',
      },
    ],
    warnings: [],
  })
})

test('validate counts the entries of the attempts for its caller', () => {
  lab.complete({}, '002-hello-r1')
  const seen: number[][] = []
  validate('x', attempt.runFolder, { strict: true, onAttempt: (...each) => seen.push(each) })
  expect(seen).toEqual([
    [0, 2],
    [1, 2],
  ])
})
