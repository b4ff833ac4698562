import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type Event, type LabAttempt } from '../../test/lab.ts'
import { linesOf, Patient } from '../../test/validating.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

function capture(over: Event): void {
  const value = {
    v: 1,
    ts: '2026-02-15T18:00:12Z',
    ...attempt.ids,
    tool: 'cli',
    op: 'exec',
    stdoutPath: 'captures/cli/1.out',
    stderrPath: 'captures/cli/1.err',
    stdoutBytes: 1,
    stderrBytes: 0,
    stdoutSha256: hash('x'),
    stderrSha256: hash(''),
    stdoutTruncated: false,
    stderrTruncated: false,
    redacted: true,
    maxBytes: 10,
    ...over,
  }
  mkdirSync(attempt.file('captures/cli'), { recursive: true })
  attempt.write('captures/cli/1.out', 'x')
  attempt.write('captures/cli/1.err', '')
  attempt.write('captures.jsonl', `${JSON.stringify(value)}\n`)
}

const secret = `ghp_${'a1B2'.repeat(9)}`

test.each<[string, () => void, string[], string[]?]>([
  ['its files', () => capture({}), []],
  [
    'another hash',
    () => capture({ stderrSha256: hash('y') }),
    ['W CONTRACT captures/cli/1.err: it is not what was captured: its hash is another'],
  ],
  [
    'a hash that is no text',
    () => capture({ stdoutSha256: 1 }),
    ['E CONTRACT captures.jsonl: line 1: stdoutSha256 is not of type string'],
    ['W CONTRACT captures.jsonl: line 1: stdoutSha256 is not of type string'],
  ],
  [
    'files of another size',
    () => {
      capture({ maxBytes: 1 })
      attempt.write('captures/cli/1.out', 'xx')
    },
    [
      'E BOUNDS captures/cli/1.out: it has 2 bytes, at most 1 are allowed',
      'W CONTRACT captures/cli/1.out: it is not what was captured: its hash is another',
    ],
  ],
  [
    'no cap',
    () => capture({ maxBytes: 'x' }),
    ['E CONTRACT captures.jsonl: line 1: maxBytes is not of type number'],
    ['W CONTRACT captures.jsonl: line 1: maxBytes is not of type number'],
  ],
  [
    'a secret',
    () => {
      capture({})
      attempt.write('captures/cli/1.err', secret)
    },
    [
      'E BOUNDS captures/cli/1.err: it has 40 bytes, at most 10 are allowed',
      'E UNSAFE_EVIDENCE captures/cli/1.err: it holds what looks like a secret (github_token)',
      'W CONTRACT captures/cli/1.err: it is not what was captured: its hash is another',
    ],
    [
      'E BOUNDS captures/cli/1.err: it has 40 bytes, at most 10 are allowed',
      'W UNSAFE_EVIDENCE captures/cli/1.err: it holds what looks like a secret (github_token)',
      'W CONTRACT captures/cli/1.err: it is not what was captured: its hash is another',
    ],
  ],
  [
    'a secret across two reads',
    () => {
      const text = `${'- '.repeat(131_062)}${secret} ${'-'.repeat(300)}`
      capture({ maxBytes: 1_000_000, stdoutSha256: hash(text) })
      attempt.write('captures/cli/1.out', text)
    },
    ['E UNSAFE_EVIDENCE captures/cli/1.out: it holds what looks like a secret (github_token)'],
    ['W UNSAFE_EVIDENCE captures/cli/1.out: it holds what looks like a secret (github_token)'],
  ],
  [
    'raw output',
    () => {
      capture({ redacted: false, stdoutSha256: hash(secret), maxBytes: 100 })
      attempt.write('captures/cli/1.out', secret)
    },
    ['W UNSAFE_EVIDENCE captures.jsonl: line 1: a raw capture'],
  ],
  [
    'missing files',
    () => {
      capture({})
      rmSync(attempt.file('captures/cli'), { recursive: true })
    },
    [
      'E MISSING_ARTIFACT captures/cli/1.out: it is not there',
      'E MISSING_ARTIFACT captures/cli/1.err: it is not there',
    ],
    [
      'W MISSING_ARTIFACT captures/cli/1.out: it is not there',
      'W MISSING_ARTIFACT captures/cli/1.err: it is not there',
    ],
  ],
  [
    'pointers out of the folder',
    () => capture({ stdoutPath: '/etc/passwd', stderrPath: 'a/../../../../x' }),
    [
      'E CONTAINMENT captures.jsonl: line 1: stdoutPath leaves its folder',
      'E CONTAINMENT captures.jsonl: line 1: stderrPath leaves its folder',
    ],
  ],
  [
    'pointers that are none',
    () => capture({ stdoutPath: '', stderrPath: 5 }),
    [
      'E CONTAINMENT captures.jsonl: line 1: stdoutPath leaves its folder',
      'E CONTRACT captures.jsonl: line 1: stderrPath is not of type string',
    ],
    [
      'E CONTAINMENT captures.jsonl: line 1: stdoutPath leaves its folder',
      'W CONTRACT captures.jsonl: line 1: stderrPath is not of type string',
    ],
  ],
  [
    'a link out of the run',
    () => {
      capture({})
      rmSync(attempt.file('captures/cli/1.out'))
      symlinkSync('/etc/passwd', attempt.file('captures/cli/1.out'))
    },
    ['E CONTAINMENT captures/cli/1.out: it is a link that leaves the run'],
  ],
])('validate tells about a capture with %s', (_, damage, strict, lenient = strict) => {
  damage()
  expect(linesOf(patient, true)).toEqual(strict)
  expect(linesOf(patient, false)).toEqual(lenient)
})
