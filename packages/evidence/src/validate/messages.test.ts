import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type Event, type LabAttempt } from '../../test/lab.ts'
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
const text = (bytes: number): string => 'x'.repeat(bytes)

test.each<[string, () => void, string[]]>([
  ['nothing', () => undefined, []],
  [
    'no attempt.json',
    () => remove('attempt.json'),
    ['E MISSING_ARTIFACT attempt.json: it is not there'],
  ],
  [
    'no trace',
    () => remove('tool.calls.jsonl'),
    [
      '? MISSING_ARTIFACT tool.calls.jsonl: it is not there',
      '? FUNNEL_BYPASS tool.calls.jsonl: there is an outcome, but no traced action',
    ],
  ],
  [
    'no outcome',
    () => remove('feedback.json'),
    ['? MISSING_ARTIFACT feedback.json: it is not there'],
  ],
  [
    'an empty trace',
    () => attempt.write('tool.calls.jsonl', ''),
    ['? FUNNEL_BYPASS tool.calls.jsonl: there is an outcome, but no traced action'],
  ],
  [
    'an empty trace and no outcome',
    () => {
      attempt.write('tool.calls.jsonl', '')
      remove('feedback.json')
    },
    [
      '? MISSING_ARTIFACT feedback.json: it is not there',
      '? MISSING_EVIDENCE tool.calls.jsonl: it holds no action',
    ],
  ],
  [
    'neither a trace nor an outcome of an attempt that needs no proof',
    () => {
      remove('tool.calls.jsonl')
      remove('feedback.json')
      patient.changeFile('attempt.json', { allowUnproven: true })
    },
    [
      '? MISSING_ARTIFACT tool.calls.jsonl: it is not there',
      '? MISSING_ARTIFACT feedback.json: it is not there',
    ],
  ],
  [
    'no trace of an attempt that needs no proof',
    () => {
      remove('tool.calls.jsonl')
      patient.changeFile('attempt.json', { allowUnproven: true })
    },
    [],
  ],
  [
    'no trace of an attempt that the lab abandoned',
    () => {
      remove('tool.calls.jsonl')
      attempt.write('attempt.outcome.json', { schemaVersion: 1, slot: 1, outcome: 'abandoned' })
    },
    [
      'W MISSING_ARTIFACT tool.calls.jsonl: it is not there',
      'W FUNNEL_BYPASS tool.calls.jsonl: there is an outcome, but no traced action',
    ],
  ],
  [
    'another attempt id',
    () => patient.changeFile('attempt.json', { attemptId: `002-${text(90)}-r1` }),
    [
      'E ID_MISMATCH attempt.json: attemptId "002-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not the folder\'s name',
      'E ID_MISMATCH tool.calls.jsonl: line 1: attemptId "001-hello-r1" is not that of the attempt',
      'E ID_MISMATCH tool.calls.jsonl: line 2: attemptId "001-hello-r1" is not that of the attempt',
      'E ID_MISMATCH feedback.json: attemptId "001-hello-r1" is not that of the attempt',
    ],
  ],
  [
    'other ids in a file',
    () => changeFeedback({ runId: 'x', suiteId: 'y', missionId: 'z', agentId: 'free' }),
    [
      'E CONTRACT feedback.json: runId is not a run id',
      'E ID_MISMATCH feedback.json: runId "x" is not that of the attempt',
      'E ID_MISMATCH feedback.json: suiteId "y" is not that of the attempt',
      'E ID_MISMATCH feedback.json: missionId "z" is not that of the attempt',
    ],
  ],
  [
    'other ids in a line',
    () => patient.changeEvent({ runId: 'x', suiteId: 'y', missionId: text(90), agentId: 'a' }),
    [
      'E ID_MISMATCH tool.calls.jsonl: line 2: runId "x" is not that of the attempt',
      '? ID_MISMATCH tool.calls.jsonl: line 2: suiteId "y" is not that of the attempt',
      'E ID_MISMATCH tool.calls.jsonl: line 2: missionId "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not that of the attempt',
      '? ID_MISMATCH tool.calls.jsonl: line 2: agentId "a" is not that of the attempt',
    ],
  ],
  [
    'no result',
    () => changeFeedback({}, ['result']),
    ['E CONTRACT feedback.json: there is no result'],
  ],
  [
    'two results',
    () => changeFeedback({ resultJson: 1 }),
    ['E CONTRACT feedback.json: result and resultJson are both there'],
  ],
  [
    'a note of nothing',
    () => note({ message: undefined }),
    ['? CONTRACT notes.jsonl: line 1: there is no message or data'],
  ],
  [
    'a note of both kinds',
    () => note({ data: 1 }),
    ['? CONTRACT notes.jsonl: line 1: message and data are both there'],
  ],
  [
    'an unknown kind of note',
    () => note({ kind: 'x' }),
    ['? CONTRACT notes.jsonl: line 1: kind is not one of agent, operator, system'],
  ],
  [
    'an unknown role of a message',
    () => stream('messages.jsonl', { role: 'x', kind: 'y', text: 'z', afterCalls: -1 }),
    [
      '? CONTRACT messages.jsonl: line 1: role is not one of system, user, assistant',
      '? CONTRACT messages.jsonl: line 1: kind is not one of text, thinking',
      '? CONTRACT messages.jsonl: line 1: afterCalls is negative',
    ],
  ],
  [
    'a reference to the runner without ids',
    () => attempt.write('runner.ref.json', { schemaVersion: 1, runner: 'zdx' }),
    [
      'E CONTRACT runner.ref.json: runId is missing',
      'E CONTRACT runner.ref.json: suiteId is missing',
      'E CONTRACT runner.ref.json: missionId is missing',
      'E CONTRACT runner.ref.json: attemptId is missing',
    ],
  ],
  [
    'metrics of the runner of another version',
    () => attempt.write('runner.metrics.json', { schemaVersion: 3, runner: 1 }),
    [
      'E SCHEMA_UNSUPPORTED runner.metrics.json: schemaVersion 3 is not supported',
      '? CONTRACT runner.metrics.json: runner is not of type string',
    ],
  ],
  [
    'an attempt.json of another version',
    () => patient.changeFile('attempt.json', { schemaVersion: text(50) }),
    [
      'E SCHEMA_UNSUPPORTED attempt.json: schemaVersion "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx is not supported',
    ],
  ],
  [
    'an event without a version',
    () => patient.changeEvent({}, ['v']),
    ['E CONTRACT tool.calls.jsonl: line 2: v is missing'],
  ],
  [
    'an event without an envelope',
    () =>
      patient.changeEvent({}, [
        'ts',
        'tool',
        'op',
        'result',
        'io',
        'runId',
        'missionId',
        'attemptId',
      ]),
    [
      'E CONTRACT tool.calls.jsonl: line 2: ts is missing',
      'E CONTRACT tool.calls.jsonl: line 2: runId is missing',
      'E CONTRACT tool.calls.jsonl: line 2: missionId is missing',
      'E CONTRACT tool.calls.jsonl: line 2: attemptId is missing',
      'E CONTRACT tool.calls.jsonl: line 2: tool is missing',
      'E CONTRACT tool.calls.jsonl: line 2: op is missing',
      'E CONTRACT tool.calls.jsonl: line 2: result is missing',
      'E CONTRACT tool.calls.jsonl: line 2: io is missing',
    ],
  ],
  [
    'values of the wrong type',
    () =>
      patient.changeEvent({
        result: { ok: 1, durationMs: -1, exitCode: 1.5 },
        io: { outBytes: 'x', outTruncated: 0 },
        suiteId: 5,
        warnings: [{ code: 1, message: 'm' }],
      }),
    [
      'E CONTRACT tool.calls.jsonl: line 2: suiteId is not of type string',
      'E CONTRACT tool.calls.jsonl: line 2: result.ok is not of type boolean',
      'E CONTRACT tool.calls.jsonl: line 2: result.exitCode is not of type int',
      'E CONTRACT tool.calls.jsonl: line 2: result.durationMs is negative',
      'E CONTRACT tool.calls.jsonl: line 2: io.outBytes is not of type number',
      'E CONTRACT tool.calls.jsonl: line 2: io.outTruncated is not of type boolean',
      '? CONTRACT tool.calls.jsonl: line 2: warnings.0.code is not of type string',
    ],
  ],
  [
    'values of attempt.json outside the vocabulary',
    () =>
      patient.changeFile('attempt.json', {
        mode: 'x',
        isolation: 'x',
        isolationModel: 'x',
        network: 'x',
        timeoutStart: 'x',
        timeoutMs: 0,
        startedAt: 'x',
        blind: 'x',
      }),
    [
      'E CONTRACT attempt.json: mode is not one of discovery, ci',
      '? CONTRACT attempt.json: startedAt is not an RFC 3339 time',
      '? CONTRACT attempt.json: isolationModel is not one of process_runner, native_spawn',
      '? CONTRACT attempt.json: isolation is not one of none, namespace, container',
      '? CONTRACT attempt.json: network is not one of host, none, loopback, funnel-only',
      '? CONTRACT attempt.json: timeoutMs is not above 0',
      '? CONTRACT attempt.json: timeoutStart is not one of attempt_start, first_tool_call',
      '? CONTRACT attempt.json: blind is not of type boolean',
    ],
  ],
  [
    'a time that is none, also in an envelope',
    () => patient.changeEvent({ ts: 'yesterday' }),
    ['? CONTRACT tool.calls.jsonl: line 2: ts is not an RFC 3339 time'],
  ],
  [
    'empty argv',
    () => patient.changeEvent({ input: { argv: [] } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.argv is missing or empty'],
  ],
  [
    'argv that is a text',
    () => patient.changeEvent({ input: { argv: 'x' } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.argv is missing or empty'],
  ],
  [
    'argv with a number',
    () => patient.changeEvent({ input: { argv: ['x', 1] } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.argv is not a list of strings'],
  ],
  ['no argv of another operation', () => patient.changeEvent({ op: 'x', input: {} }), []],
  ['no argv of another tool', () => patient.changeEvent({ tool: 'x', input: {} }), []],
  ['a truncated input', () => patient.changeEvent({ input: { truncated: true } }), []],
  [
    'an untruncated input',
    () => patient.changeEvent({ input: { truncated: 1 } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.argv is missing or empty'],
  ],
  ['an input as text', () => patient.changeEvent({ input: { raw: '' } }), []],
  [
    'an input as a number',
    () => patient.changeEvent({ input: { raw: 1 } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.argv is missing or empty'],
  ],
  [
    'an mcp call with an empty method',
    () => patient.changeEvent({ tool: 'mcp', op: 'tools/call', input: { method: '' } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.method is missing'],
  ],
  [
    'an mcp call with a method',
    () => patient.changeEvent({ tool: 'mcp', op: 'tools/call', input: { method: 'm' } }),
    [],
  ],
  [
    'a request without a method',
    () => patient.changeEvent({ tool: 'http', op: 'x', input: { url: 'http://x' } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.method is missing'],
  ],
  [
    'a request without an address',
    () => patient.changeEvent({ tool: 'http', op: 'x', input: { method: 'GET' } }),
    ['? CONTRACT tool.calls.jsonl: line 2: input.url is missing'],
  ],
  [
    'a request with both',
    () => patient.changeEvent({ tool: 'http', op: 'x', input: { method: 'GET', url: 'u' } }),
    [],
  ],
])('validate tells about %s', (_, damage, lines) => {
  damage()
  expect(linesOf(patient, true)).toEqual(expectedLines(lines, true))
  expect(linesOf(patient, false)).toEqual(expectedLines(lines, false))
})
