import { expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { FrictionPass, type Finding } from './friction.ts'
import { MetricsPass } from './metrics.ts'

type Event = Record<string, unknown>

function findingsOf(events: readonly Event[], mayContain?: () => boolean): Finding[] {
  const metrics = new MetricsPass()
  const friction = new FrictionPass()
  const facts = emptyFacts()
  for (const [index, event] of events.entries()) {
    facts.line = index + 1
    factsFromRecord({ tool: 'cli', op: 'exec', ...event }, facts)
    facts.mayContain = mayContain
    friction.add(facts, metrics.add(facts))
  }
  return friction.findings()
}

/** A finding as `kind basis classification lines: message`. */
function lineOf({ kind, basis, classification, lines, message }: Finding): string {
  return `${[kind, basis, classification ?? [], lines.join(',')].flat().join(' ')}: ${message}`
}

const call = (...argv: unknown[]): Event => ({ input: { argv }, result: { ok: true } })
const failing = (code: string | undefined, ...argv: unknown[]): Event => ({
  input: { argv },
  result: { ok: false, code },
})
const complaint = (text: string, ...argv: string[]): Event => ({
  ...failing('ZCL_E_TOOL_FAILED', ...argv),
  io: { errPreview: text },
})
const cut = (...argv: string[]): Event => ({ ...call(...argv), io: { outTruncated: true } })
const mcp = (name: unknown, ok = false): Event => ({
  tool: 'mcp',
  op: 'tools/call',
  input: { params: { name } },
  result: { ok },
})
const times = (count: number, event: Event): Event[] => Array.from({ length: count }, () => event)
const others = (count: number): Event[] =>
  Array.from({ length: count }, (_, index) => call(`other${index}`))

const unknown = 'unknown option --bad'

test.each<[string, Event[], string[]]>([
  ['no call', [], []],
  ['one failure', [failing('X', 'a')], []],
  [
    'two failures of one call',
    [failing('X', 'a'), failing('Y', 'a')],
    ['repeated_failing_call measured 1,2: the same call failed 2 times: a'],
  ],
  [
    'three failures with other calls between',
    [failing('X', 'a', 'b'), ...others(1), failing('X', 'a', 'b'), failing('X', 'a', 'b')],
    ['repeated_failing_call measured 1,3,4: the same call failed 3 times: a b'],
  ],
  [
    'failures before and after a success',
    [failing('X', 'a'), failing('X', 'a'), call('a'), failing('X', 'a')],
    ['repeated_failing_call measured 1,2: the same call failed 2 times: a'],
  ],
  [
    'failures of an MCP tool',
    [mcp('t'), mcp('t')],
    ['repeated_failing_call measured 1,2: the same call failed 2 times: mcp t'],
  ],
  [
    'failures of a call that is no command',
    times(2, { tool: 'zdx', result: { ok: false } }),
    ['repeated_failing_call measured 1,2: the same call failed 2 times: a call that is no command'],
  ],
  [
    'a long call',
    times(2, failing('X', 'a'.repeat(300))),
    [
      'repeated_failing_call measured 1,2: the same call failed 2 times: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
  ],
  [
    'a call of two lines',
    times(2, failing('X', 'a\nb'.repeat(20), 'c d')),
    [
      'repeated_failing_call measured 1,2: the same call failed 2 times: a ba ba ba ba ba ba ba ba ba ba ba ba ba ba ba ba ba ba ba b c d',
    ],
  ],
  [
    'one timeout',
    [failing('ZCL_E_TIMEOUT', 'a')],
    ['timeout measured 1: the deadline ended 1 call(s)'],
  ],
  [
    'two timeouts',
    [failing('ZCL_E_TIMEOUT', 'a'), failing('ZCL_E_TIMEOUT', 'b')],
    ['timeout measured 1,2: the deadline ended 2 call(s)'],
  ],
  [
    'a timeout that is no failure',
    [{ ...call('a'), result: { ok: true, code: 'ZCL_E_TIMEOUT' } }],
    [],
  ],
  [
    'a command that is missing',
    [failing('ZCL_E_SPAWN', 'nowhere', 'x')],
    ['command_not_found measured missing_primitive 1: nowhere could not be started once'],
  ],
  [
    'a command that is missing twice',
    [failing('ZCL_E_SPAWN', 'no', 'x'), failing('ZCL_E_SPAWN', 'no', 'y')],
    ['command_not_found measured missing_primitive 1,2: no could not be started 2 times'],
  ],
  [
    'a spawn of no command',
    [{ tool: 'zdx', result: { ok: false, code: 'ZCL_E_SPAWN' } }],
    [
      'command_not_found measured missing_primitive 1: a call that is no command could not be started once',
    ],
  ],
  ['help once', [call('git', '--help')], []],
  [
    'the same help twice',
    [call('git', '--help'), call('git', '--help')],
    ['help_loop measured naming_ux 1,2: help of git was asked for 2 times'],
  ],
  ['two kinds of help', [call('git', '--help'), call('git', 'help')], []],
  [
    'three kinds of help',
    [call('git', 'x', '--help'), call('git', 'help', 'x'), call('man', 'git')],
    ['help_loop hypothesis naming_ux 1,2,3: help of git was asked for 3 times'],
  ],
  ['help of three commands', [call('a', '--help'), call('b', '--help'), call('man', 'c')], []],
  [
    'words that are no help',
    [call('git', 'x', 'help'), call('git', 'x', 'help'), call('echo', 'man'), call('echo', 'man')],
    [],
  ],
  [
    'cut output, then the same call',
    [cut('cat', 'a'), call('cat', 'a')],
    [
      'truncated_then_asked_again measured output_shape 1,2: output over the preview cap, then the same call was made again: cat a',
    ],
  ],
  [
    'cut output three lines before',
    [cut('cat', 'a'), ...others(2), call('cat', 'b')],
    [
      'truncated_then_asked_again hypothesis output_shape 1,4: output over the preview cap, then the command was asked again differently: cat b',
    ],
  ],
  ['cut output four lines before', [cut('cat', 'a'), ...others(3), call('cat', 'b')], []],
  [
    'cut errors',
    [{ ...call('cat'), io: { errTruncated: true } }, call('cat')],
    [
      'truncated_then_asked_again measured output_shape 1,2: output over the preview cap, then the same call was made again: cat',
    ],
  ],
  [
    'cut output twice',
    [cut('cat', 'a'), cut('cat', 'b'), call('cat', 'c'), call('cat', 'd')],
    [
      'truncated_then_asked_again hypothesis output_shape 1,2: output over the preview cap, then the command was asked again differently: cat b',
      'truncated_then_asked_again hypothesis output_shape 2,3: output over the preview cap, then the command was asked again differently: cat c',
    ],
  ],
  [
    'cut output of an MCP tool',
    [{ ...mcp('t', true), io: { outTruncated: true } }, mcp('t', true)],
    [
      'truncated_then_asked_again measured output_shape 1,2: output over the preview cap, then the same call was made again: mcp t',
    ],
  ],
  [
    'cut output of no command, then another one',
    [{ tool: 'x', io: { outTruncated: true } }, { tool: 'y' }],
    [],
  ],
  [
    'an unknown flag that is left out',
    [complaint(unknown, 'tool', '--bad'), call('tool')],
    [
      'unknown_flag_corrected measured naming_ux 1,2: tool does not know --bad; a call without it worked',
    ],
  ],
  [
    'an unknown flag with a value',
    [complaint('Invalid flag: bad', 'tool', 'x', '--bad=1'), call('tool', '--bid=1')],
    [
      'unknown_flag_corrected measured naming_ux 1,2: tool does not know --bad; a call without it worked',
    ],
  ],
  [
    'an unknown flag that is kept',
    [complaint(unknown, 'tool', '--bad'), call('tool', '--bad', 'x')],
    [],
  ],
  [
    'an unknown flag that is kept with a value',
    [complaint(unknown, 'tool', '--bad'), call('tool', '--bad=2')],
    [],
  ],
  [
    'an unknown flag, then another command',
    [complaint(unknown, 'tool', '--bad'), call('other')],
    [],
  ],
  ['an unknown flag, then help', [complaint(unknown, 'tool', '--bad'), call('tool', '--help')], []],
  [
    'an unknown flag that is corrected once',
    [complaint(unknown, 'tool', '--bad'), call('tool'), call('tool')],
    [
      'unknown_flag_corrected measured naming_ux 1,2: tool does not know --bad; a call without it worked',
    ],
  ],
  [
    'an unknown flag that is corrected after a failure',
    [complaint(unknown, 'tool', '--bad'), failing('X', 'tool'), call('tool', 'a')],
    [
      'unknown_flag_corrected measured naming_ux 1,3: tool does not know --bad; a call without it worked',
    ],
  ],
  [
    'two unknown flags',
    [
      complaint('unknown flag --bid', 'tool', '--aim', '--bid'),
      complaint('illegal option aim', 'tool', '--aim'),
      call('tool'),
      call('tool', 'x'),
    ],
    [
      'unknown_flag_corrected measured naming_ux 1,3: tool does not know --bid; a call without it worked',
      'unknown_flag_corrected measured naming_ux 2,4: tool does not know --aim; a call without it worked',
    ],
  ],
  [
    'a complaint about another flag',
    [complaint('unknown option --other', 'tool', '--bad'), call('tool')],
    [],
  ],
  ['a complaint about no flag', [complaint('unknown option x', 'tool', 'x'), call('tool')], []],
  [
    'an error that is no complaint',
    [complaint('--bad has failed', 'tool', '--bad'), call('tool')],
    [],
  ],
  [
    'a complaint in the output',
    [{ ...failing('X', 'tool', '--bad'), io: { outPreview: unknown } }, call('tool')],
    [
      'unknown_flag_corrected measured naming_ux 1,2: tool does not know --bad; a call without it worked',
    ],
  ],
  [
    'a complaint after much output',
    [complaint(`${'-'.repeat(8192)} ${unknown}`, 'tool', '--bad'), call('tool')],
    [],
  ],
  ['a negative number', [complaint('invalid argument -1', 'tool', '-1'), call('tool')], []],
])('FrictionPass answers %s', (_, events, findings) => {
  expect(findingsOf(events).map(lineOf)).toEqual(findings)
})

test.each([
  ...['unknown option', 'unrecognized flag', 'unrecognised argument', 'invalid switch'],
  ...['illegal parameter', 'unexpected argument', 'unsupported flag', 'no such option'],
  ...['not a valid option', 'Unknown command option', 'unknown options'],
])('FrictionPass knows the complaint %j', (words) => {
  const found = findingsOf([complaint(`${words} --bad`, 'tool', '--bad'), call('tool')])
  expect(found.map(({ kind }) => kind)).toEqual(['unknown_flag_corrected'])
})

test.each(['unknown file', 'an option', 'unknownoption', 'unknown very odd option'])(
  'FrictionPass ignores the complaint %j',
  (words) => {
    expect(findingsOf([complaint(`${words} --bad`, 'tool', '--bad'), call('tool')])).toEqual([])
  },
)

test('FrictionPass trusts a line that cannot contain a complaint', () => {
  const calls = [complaint(unknown, 'tool', '--bad'), call('tool')]
  expect(findingsOf(calls, () => false)).toEqual([])
  expect(findingsOf(calls, () => true)).toHaveLength(1)
})

test.each([
  [16, ['tool0', 'tool15']],
  [17, ['tool16']],
])('FrictionPass watches 16 unknown flags for a correction: %i', (count, corrected) => {
  const complaints = Array.from({ length: count }, (_, index) =>
    complaint(unknown, `tool${index}`, '--bad'),
  )
  const found = findingsOf([...complaints, call('tool0'), call(`tool${count - 1}`)])
  const message = (tool: string) => `${tool} does not know --bad; a call without it worked`
  expect(found.map((each) => each.message)).toEqual(corrected.map(message))
})

test('FrictionPass keeps the first 32 lines and the first 100 findings', () => {
  const [found] = findingsOf(times(40, failing('X', 'a')))
  expect(found?.lines).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  expect(found?.linesTotal).toBe(40)
  const many = Array.from({ length: 210 }, (_, index) => times(2, failing('X', `tool${index}`)))
  const findings = findingsOf(many.flat().toReversed())
  expect(findings.map(({ lines }) => lines)).toEqual(
    Array.from({ length: 100 }, (_, index) => [2 * index + 1, 2 * index + 2]),
  )
})

test('FrictionPass orders findings by their first line, then by their kind', () => {
  const found = findingsOf([
    failing('ZCL_E_TIMEOUT', 'b'),
    failing('ZCL_E_TIMEOUT', 'b'),
    failing('ZCL_E_SPAWN', 'a'),
  ])
  expect(found.map(({ kind }) => kind)).toEqual([
    'repeated_failing_call',
    'timeout',
    'command_not_found',
  ])
})
