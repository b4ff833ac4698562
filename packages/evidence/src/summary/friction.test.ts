import { expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { FrictionPass, type Finding } from './friction.ts'
import { MetricsPass } from './metrics.ts'

interface Call {
  argv: string[]
  ok?: boolean
  code?: string
  err?: string
  cut?: boolean
}

function findingsOf(calls: readonly Call[]): Finding[] {
  const metrics = new MetricsPass()
  const friction = new FrictionPass()
  const facts = emptyFacts()
  for (const [index, { argv, ok = true, code, err, cut = false }] of calls.entries()) {
    facts.line = index + 1
    factsFromRecord(
      {
        tool: 'cli',
        op: 'exec',
        input: { argv },
        result: { ok, code, durationMs: 1 },
        io: { outBytes: 1, errBytes: 1, errPreview: err, outTruncated: cut, errTruncated: false },
      },
      facts,
    )
    friction.add(facts, metrics.add(facts))
  }
  return friction.findings()
}

test('FrictionPass reports a repeated failing call with its lines, until it succeeds', () => {
  const bad = { argv: ['git', 'statsu'], ok: false }
  const good = { argv: ['git', 'statsu'] }
  expect(findingsOf([bad, { argv: ['ls'] }, bad, good, bad])).toEqual([
    {
      kind: 'repeated_failing_call',
      basis: 'measured',
      message: 'the same call failed 2 times: git statsu',
      lines: [1, 3],
      linesTotal: 2,
    },
  ])
})

test('FrictionPass reports an unknown flag that a later call omits as naming_ux', () => {
  const [found] = findingsOf([
    { argv: ['tool', 'ls', '--colour=no'], ok: false, err: "error: unknown option '--colour'" },
    { argv: ['other'] },
    { argv: ['tool', 'ls', '--color=no'] },
  ])
  expect(found).toMatchObject({
    kind: 'unknown_flag_corrected',
    basis: 'measured',
    classification: 'naming_ux',
    lines: [1, 3],
  })
})

test('FrictionPass ignores a failure that names no flag of the call', () => {
  const calls = [
    { argv: ['tool', '--colour'], ok: false, err: 'unknown option in config' },
    { argv: ['tool'] },
  ]
  expect(findingsOf(calls)).toEqual([])
})

test('FrictionPass measures repeated identical help calls and suspects varied ones', () => {
  const help = (...argv: string[]) => ({ argv })
  expect(findingsOf([help('git', '--help'), help('git', '--help')])).toMatchObject([
    { kind: 'help_loop', basis: 'measured', lines: [1, 2] },
  ])
  const many = [help('git', 'a', '--help'), help('git', 'help', 'b'), help('man', 'git')]
  expect(findingsOf(many)).toMatchObject([
    { kind: 'help_loop', basis: 'hypothesis', linesTotal: 3 },
  ])
  expect(findingsOf([help('git', '--help'), help('npm', '--help')])).toEqual([])
})

test('FrictionPass measures an identical call after cut output and suspects a similar one', () => {
  const cut = { argv: ['cat', 'big'], cut: true }
  expect(findingsOf([cut, { argv: ['cat', 'big'] }])).toMatchObject([
    { kind: 'truncated_then_asked_again', basis: 'measured', classification: 'output_shape' },
  ])
  expect(findingsOf([cut, { argv: ['cat', '-n', 'big'] }])).toMatchObject([
    { kind: 'truncated_then_asked_again', basis: 'hypothesis', lines: [1, 2] },
  ])
  const later = [cut, { argv: ['a'] }, { argv: ['b'] }, { argv: ['c'] }, { argv: ['cat', 'x'] }]
  expect(findingsOf(later)).toEqual([])
})

test('FrictionPass measures timeouts and commands that do not exist', () => {
  const found = findingsOf([
    { argv: ['slow'], ok: false, code: 'ZCL_E_TIMEOUT' },
    { argv: ['nowhere', 'x'], ok: false, code: 'ZCL_E_SPAWN' },
  ])
  expect(found.map(({ kind, basis, lines }) => [kind, basis, lines])).toEqual([
    ['timeout', 'measured', [1]],
    ['command_not_found', 'measured', [2]],
  ])
  expect(found[1]?.classification).toBe('missing_primitive')
})

test('FrictionPass bounds the lines of a finding and prints a call on one short line', () => {
  const long = { argv: ['x\ny'.repeat(200)], ok: false }
  const [found] = findingsOf(Array.from({ length: 100 }, () => long))
  expect(found?.lines).toHaveLength(32)
  expect(found?.linesTotal).toBe(100)
  expect(found?.message).not.toMatch(/\n/)
  expect(found?.message.length).toBeLessThan(200)
})
