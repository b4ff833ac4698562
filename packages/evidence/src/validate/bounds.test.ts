import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { feedback, Lab, type Event, type LabAttempt } from '../../test/lab.ts'
import { expectedLines, linesOf, Patient } from '../../test/validating.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

/** A line of a stream with the ids of the attempt. */
function stream(name: string, ...values: Event[]): void {
  const head = { v: 1, ts: '2026-02-15T18:00:12Z', ...attempt.ids }
  attempt.write(name, values.map((each) => `${JSON.stringify({ ...head, ...each })}\n`).join(''))
}

const note = (over: Event): void => stream('notes.jsonl', { kind: 'agent', message: 'x', ...over })
const changeFeedback = (over: Event, remove: readonly string[] = []): void =>
  patient.changeFile('feedback.json', over, remove)
const remove = (name: string): void => rmSync(attempt.file(name))
const enrich = (enrichment: unknown): void => patient.changeEvent({ enrichment })
const link = (name: string, to: string): void => {
  rmSync(attempt.file(name), { recursive: true, force: true })
  symlinkSync(to, attempt.file(name))
}
const secret = `ghp_${'a1B2'.repeat(9)}`
const text = (bytes: number): string => 'x'.repeat(bytes)

test.each<[string, () => void, string[]]>([
  [
    'an input of too many bytes',
    () => patient.changeEvent({ input: { argv: [text(65_526)] } }),
    ['E BOUNDS tool.calls.jsonl: line 2: input has 65539 bytes, at most 65536 are allowed'],
  ],
  ['an input of its cap', () => patient.changeEvent({ input: { argv: [text(65_523)] } }), []],
  [
    'an enrichment of too many bytes',
    () => enrich({ a: text(65_529) }),
    ['E BOUNDS tool.calls.jsonl: line 2: enrichment has 65537 bytes, at most 65536 are allowed'],
  ],
  ['an enrichment of its cap', () => enrich({ a: text(65_528) }), []],
  [
    'a resultJson of too many bytes',
    () => changeFeedback({ resultJson: text(65_535) }, ['result']),
    ['E BOUNDS feedback.json: resultJson has 65537 bytes, at most 65536 are allowed'],
  ],
  ['a resultJson of its cap', () => changeFeedback({ resultJson: text(65_534) }, ['result']), []],
  [
    'data of too many bytes',
    () => note({ message: undefined, data: text(65_535) }),
    ['E BOUNDS notes.jsonl: line 1: data has 65537 bytes, at most 65536 are allowed'],
  ],
  ['data of its cap', () => note({ message: undefined, data: text(65_534) }), []],
  [
    'an outcome of too many bytes',
    () => attempt.write('feedback.json', JSON.stringify(feedback(attempt)).padEnd(131_073)),
    ['E BOUNDS feedback.json: the file has 131073 bytes, at most 131072 are allowed'],
  ],
  [
    'an outcome of its cap',
    () => attempt.write('feedback.json', JSON.stringify(feedback(attempt)).padEnd(131_072)),
    [],
  ],
  [
    'an outcome that is a list',
    () => attempt.write('feedback.json', '[]'),
    ['E INVALID_JSON feedback.json: it is not an object'],
  ],
  [
    'an outcome that nests too deep',
    () => attempt.write('feedback.json', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    ['E BOUNDS feedback.json: it nests too deep'],
  ],
  [
    'an outcome that is a folder',
    () => {
      remove('feedback.json')
      mkdirSync(attempt.file('feedback.json'))
    },
    ['E CONTRACT feedback.json: it is not a regular file'],
  ],
  [
    'an outcome that is a link out of the run',
    () => link('feedback.json', '/etc/passwd'),
    ['E CONTAINMENT feedback.json: it is a link that leaves the run'],
  ],
  [
    'an outcome that is a link to nothing',
    () => link('feedback.json', 'nothing'),
    ['? MISSING_ARTIFACT feedback.json: it is not there'],
  ],
  [
    'a trace that is a link out of the run',
    () => link('tool.calls.jsonl', '/etc/passwd'),
    [
      'E CONTAINMENT tool.calls.jsonl: it is a link that leaves the run',
      '? FUNNEL_BYPASS tool.calls.jsonl: there is an outcome, but no traced action',
    ],
  ],
  [
    'the environment as a link out of the run',
    () => link('attempt.env.sh', '/etc/passwd'),
    ['E CONTAINMENT attempt.env.sh: it is a link that leaves the run or leads nowhere'],
  ],
  [
    'the environment as a link to nothing',
    () => link('attempt.env.sh', 'nothing'),
    ['E CONTAINMENT attempt.env.sh: it is a link that leaves the run or leads nowhere'],
  ],
  ['the environment as a link in the run', () => link('attempt.env.sh', 'attempt.json'), []],
  [
    'captures as a link out of the run',
    () => link('captures', '/etc'),
    ['E CONTAINMENT captures: it is a link that leaves the run or leads nowhere'],
  ],
  [
    'captures of commands as a link out of the run',
    () => {
      mkdirSync(attempt.file('captures'))
      link('captures/cli', '/etc')
    },
    ['E CONTAINMENT captures/cli: it is a link that leaves the run or leads nowhere'],
  ],
  ['pointers at other fields', () => enrich({ x: 1, path: '/a', aPath: '/b', stdoutPath: 5 }), []],
  [
    'the pointer stdoutPath',
    () => enrich({ a: { stdoutPath: '../x' } }),
    ['E CONTAINMENT tool.calls.jsonl: line 2: enrichment.a.stdoutPath leaves the attempt'],
  ],
  [
    'the pointer stderrPath',
    () => enrich({ stderrPath: '/x' }),
    ['E CONTAINMENT tool.calls.jsonl: line 2: enrichment.stderrPath leaves the attempt'],
  ],
  [
    'a pointer in a capture',
    () => enrich({ captures: [{ anyPath: 'a/../b' }] }),
    ['E CONTAINMENT tool.calls.jsonl: line 2: enrichment.captures.0.anyPath leaves the attempt'],
  ],
  [
    'an empty pointer',
    () => enrich({ capture: { path: '' } }),
    ['E CONTAINMENT tool.calls.jsonl: line 2: enrichment.capture.path leaves the attempt'],
  ],
  [
    'a pointer with a drive',
    () => enrich({ capture: { path: 'C:x' } }),
    ['E CONTAINMENT tool.calls.jsonl: line 2: enrichment.capture.path leaves the attempt'],
  ],
  ['pointers that stay inside', () => enrich({ capture: { path: 'a/..b', logPath: 'x' } }), []],
  ['pointers in a longer word', () => enrich({ recapture: { path: '/x' } }), []],
  [
    'a secret in a file',
    () => changeFeedback({ result: secret }),
    ['? UNSAFE_EVIDENCE feedback.json: result holds what looks like a secret (github_token)'],
  ],
  [
    'a secret in a list',
    () => changeFeedback({ resultJson: [[0, secret]] }, ['result']),
    [
      '? UNSAFE_EVIDENCE feedback.json: resultJson.0.1 holds what looks like a secret (github_token)',
    ],
  ],
  [
    'a secret as a key',
    () => changeFeedback({ [secret]: 1 }),
    ['? UNSAFE_EVIDENCE feedback.json: a key holds what looks like a secret (github_token)'],
  ],
  [
    'a secret as an inner key',
    () => patient.changeEvent({ x: { y: { [secret]: 1 } } }),
    [
      '? UNSAFE_EVIDENCE tool.calls.jsonl: line 2: a key of x.y holds what looks like a secret (github_token)',
    ],
  ],
  [
    'two secrets in a line',
    () => patient.changeEvent({ a: null, b: secret, c: secret }),
    ['? UNSAFE_EVIDENCE tool.calls.jsonl: line 2: b holds what looks like a secret (github_token)'],
  ],
  [
    'an escaped secret',
    () => attempt.write('other.json', `{"a":"\\u0067${secret.slice(1)}"}`),
    ['? UNSAFE_EVIDENCE other.json: a holds what looks like a secret (github_token)'],
  ],
  [
    'a secret in the prompt',
    () => attempt.write('prompt.txt', secret),
    ['? UNSAFE_EVIDENCE prompt.txt: it holds what looks like a secret (github_token)'],
  ],
  [
    'a secret in the command',
    () => attempt.write('runner.command.txt', secret),
    ['? UNSAFE_EVIDENCE runner.command.txt: it holds what looks like a secret (github_token)'],
  ],
  [
    'a secret in the output',
    () => attempt.write('runner.stdout.log', secret),
    ['? UNSAFE_EVIDENCE runner.stdout.log: it holds what looks like a secret (github_token)'],
  ],
  [
    'a secret in the errors',
    () => attempt.write('runner.stderr.log', secret),
    ['? UNSAFE_EVIDENCE runner.stderr.log: it holds what looks like a secret (github_token)'],
  ],
  [
    'an unknown file that is no JSON',
    () => attempt.write('other.json', '{'),
    ['E INVALID_JSON other.json: a character is out of place at position 1'],
  ],
  [
    'an unknown stream that is no JSONL',
    () => attempt.write('other.jsonl', '{}\n[]\n'),
    ['E INVALID_JSONL other.jsonl: line 2 is not a JSON object'],
  ],
  [
    'an environment that is no JSON',
    () => attempt.write('attempt.runtime.env.json', 'x'),
    ['E INVALID_JSON attempt.runtime.env.json: a character is out of place'],
  ],
  [
    'hidden files, folders and other files',
    () => {
      attempt.write('.lock.json', '{')
      attempt.write('readme.txt', '{')
      mkdirSync(attempt.file('folder.json'))
    },
    [],
  ],
  ['a blank line', () => note({ tags: [] }), []],
  [
    'a line of spaces',
    () => attempt.write('notes.jsonl', ' \t\n'),
    ['S INVALID_JSONL notes.jsonl: line 1 is blank'],
  ],
  [
    'a torn line',
    () => attempt.write('notes.jsonl', '{"a'),
    ['E INVALID_JSONL notes.jsonl: line 1 is not a JSON object'],
  ],
  [
    'a line that is not UTF-8',
    () => writeFileSync(attempt.file('notes.jsonl'), Buffer.from([0x7b, 0xff, 0x7d, 10])),
    ['E INVALID_JSONL notes.jsonl: line 1 is not UTF-8'],
  ],
  [
    'a line that is too long',
    () => attempt.write('other.jsonl', `{"a":"${text(8_388_608)}"}\n{}\n`),
    ['E BOUNDS other.jsonl: line 1 is longer than 8388608 bytes'],
  ],
  [
    'an outcome of an infrastructure failure',
    () => {
      unlinkSync(attempt.file('tool.calls.jsonl'))
      changeFeedback({ ok: false, resultJson: { kind: 'infra_failure', code: 'ZCL_E_TIMEOUT' } }, [
        'result',
      ])
    },
    [],
  ],
])('validate tells about %s', (_, damage, lines) => {
  damage()
  expect(linesOf(patient, true)).toEqual(expectedLines(lines, true))
  expect(linesOf(patient, false)).toEqual(expectedLines(lines, false))
})
