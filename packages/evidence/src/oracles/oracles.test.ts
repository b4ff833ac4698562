import { describe, expect, it } from 'vitest'
import { readOracle } from './file.ts'
import {
  formatPolicies,
  judgeByRules,
  oracleModes,
  parsedResult,
  type OraclePolicy,
} from './oracles.ts'
import { checkNode, type OracleNode } from './rules.ts'

it('the modes and policies are those of the contract', () => {
  expect(oracleModes).toEqual(['strict', 'normalized', 'semantic'])
  expect(formatPolicies).toEqual(['fail', 'warn', 'ignore'])
})

const nested = (levels: number): object =>
  levels === 0 ? { field: 'x', op: 'non_empty' } : { anyOf: [nested(levels - 1)] }
const inner = (levels: number): string => '.anyOf[0]'.repeat(levels)

describe('readOracle', () => {
  it.each<[unknown, string]>([
    [5, 'ZCL_E_CONTRACT o: the oracle must be an object'],
    [{ schemaVersion: 2 }, 'ZCL_E_SCHEMA_UNSUPPORTED o: schemaVersion is not 1'],
    [{}, 'ZCL_E_CONTRACT o: rules must be a non-empty list'],
    [{ rules: [] }, 'ZCL_E_CONTRACT o: rules must be a non-empty list'],
    [{ rules: [5] }, 'ZCL_E_CONTRACT o: rules[0]: a rule must be an object'],
    [
      { rules: [{ field: 'x', op: 'non_empty' }, {}] },
      'ZCL_E_CONTRACT o: rules[1]: field is not valid',
    ],
    [{ rules: [{ field: 'x', op: 'eqq' }] }, 'ZCL_E_CONTRACT o: rules[0]: op is not valid'],
    [{ rules: [{ field: 'x', op: 'eq' }] }, 'ZCL_E_CONTRACT o: rules[0]: eq needs a value'],
    [{ rules: [{ field: 'x', op: 'eq_ref' }] }, 'ZCL_E_CONTRACT o: rules[0]: eq_ref needs a ref'],
    [
      { rules: [{ field: 'x', op: 'eq', value: 1, more: 1 }] },
      'ZCL_E_CONTRACT o: rules[0]: unrecognized_keys is not valid',
    ],
    [
      { rules: [{ field: 'x', op: 'num_eq', value: 1, tolerance: -1 }] },
      'ZCL_E_CONTRACT o: rules[0]: tolerance is not valid',
    ],
    [
      { rules: [{ field: 'x', op: 'eq', value: 1, normalizers: ['x'] }] },
      'ZCL_E_CONTRACT o: rules[0]: normalizers.0 is not valid',
    ],
    [
      { rules: [{ anyOf: [] }] },
      'ZCL_E_CONTRACT o: rules[0]: anyOf must be a non-empty list of rules and the only key',
    ],
    [
      { rules: [{ allOf: 5 }] },
      'ZCL_E_CONTRACT o: rules[0]: allOf must be a non-empty list of rules and the only key',
    ],
    [
      { rules: [{ allOf: [nested(0)], field: 'x' }] },
      'ZCL_E_CONTRACT o: rules[0]: allOf must be a non-empty list of rules and the only key',
    ],
    [
      { rules: [{ allOf: [nested(0), 5] }] },
      'ZCL_E_CONTRACT o: rules[0].allOf[1]: a rule must be an object',
    ],
    [
      { rules: [nested(17)] },
      `ZCL_E_CONTRACT o: rules[0]${inner(17)}: rules nest deeper than 16 levels`,
    ],
  ])('refuses %j: %s', (value, message) => {
    let refusal: unknown
    try {
      readOracle(value, 'o')
    } catch (error) {
      const { code, message: text } = error as { code: string; message: string }
      refusal = `${code} ${text}`
    }
    expect(refusal).toBe(message)
  })

  it('accepts rules of every form', () => {
    const rules = [
      nested(16),
      { allOf: [{ field: 'x', op: 'num_eq', value: 0, tolerance: 0 }] },
      { field: 'x', op: 'eq_ref', ref: 'y', normalizers: ['trim'] },
    ]
    expect(readOracle({ schemaVersion: 1, rules }, 'o')).toEqual({ rules })
  })
})

describe('checkNode', () => {
  const eq = (value: unknown, over: object = {}): OracleNode => ({
    field: 'x',
    op: 'eq',
    value,
    ...over,
  })

  it.each<[OracleNode, unknown, [string | undefined, string][]]>([
    [eq('a'), { x: 'a' }, [['exact', 'format']]],
    [eq('a', { normalizers: ['trim'] }), { x: ' a' }, [['normalized', 'format']]],
    [eq('a'), { x: ' A' }, [['loose', 'format']]],
    [eq('a', { normalizers: ['css_px_to_number'] }), { x: 'b' }, [[undefined, 'semantic']]],
    [eq('a'), { x: 5 }, [[undefined, 'type']]],
    [eq('a'), {}, [[undefined, 'type']]],
    [eq(null), { x: {} }, [[undefined, 'type']]],
    [eq([1]), { x: { 0: 1 } }, [[undefined, 'type']]],
    [eq([1]), { x: [2] }, [[undefined, 'semantic']]],
    [{ field: 'x', op: 'gte', value: 5 }, { x: '4' }, [[undefined, 'semantic']]],
    [{ field: 'x', op: 'eq_ref', ref: 'y.z' }, { x: 1, y: { z: 1 } }, [['exact', 'format']]],
    [{ field: 'x', op: 'eq_ref' }, { x: 1 }, [[undefined, 'type']]],
    [{ field: '/a~1b', op: 'eq', value: 1 }, { 'a/b': 1 }, [['exact', 'format']]],
    [{ field: 'a/b.~c', op: 'eq', value: 1 }, { 'a/b': { '~c': 1 } }, [['exact', 'format']]],
    [{ field: '', op: 'eq', value: 1 }, 1, [['exact', 'format']]],
    [
      { allOf: [eq('a'), eq('b')] },
      { x: 'a' },
      [
        ['exact', 'format'],
        [undefined, 'semantic'],
      ],
    ],
    [{ anyOf: [eq('a'), eq('b')] }, { x: 'b' }, [['exact', 'format']]],
    [{ anyOf: [eq('b'), eq('B')] }, { x: 'B' }, [['exact', 'format']]],
    [{ anyOf: [eq('b'), eq('B', { normalizers: ['lower'] })] }, { x: 'b' }, [['exact', 'format']]],
    [
      { anyOf: [eq(' B'), eq('B', { normalizers: ['lower'] })] },
      { x: 'b' },
      [['normalized', 'format']],
    ],
    [{ anyOf: [eq('c'), { allOf: [eq('c'), eq('d')] }] }, { x: 'b' }, [[undefined, 'semantic']]],
    [
      { anyOf: [{ allOf: [eq('B'), eq('B'), eq(' B')] }, eq('c')] },
      { x: 'b' },
      [
        ['loose', 'format'],
        ['loose', 'format'],
        ['loose', 'format'],
      ],
    ],
    [{ anyOf: [] }, {}, []],
  ])('of %j with %j finds %j', (node, result, found) => {
    expect(checkNode(node, result).map((each) => [each.holdsAs, each.class])).toEqual(found)
  })
})

describe('judgeByRules', () => {
  const rules = [
    { field: 'x', op: 'eq', value: 'a', normalizers: ['trim'] },
    { field: '', op: 'non_empty' },
    { field: 'y', op: 'eq', value: 1 },
  ]
  const format = {
    field: 'x',
    op: 'eq',
    class: 'format',
    message: 'x is right in another form only (eq)',
  }

  it.each<[OraclePolicy, unknown, unknown]>([
    [{ mode: 'strict', formatMismatch: 'fail' }, 'a', { ok: true, mismatches: [], warnings: [] }],
    [
      { mode: 'strict', formatMismatch: 'fail' },
      ' a',
      { ok: false, mismatches: [format], warnings: [] },
    ],
    [
      { mode: 'strict', formatMismatch: 'warn' },
      ' a',
      { ok: true, mismatches: [], warnings: [format] },
    ],
    [
      { mode: 'strict', formatMismatch: 'ignore' },
      ' a',
      { ok: true, mismatches: [], warnings: [] },
    ],
    [
      { mode: 'normalized', formatMismatch: 'fail' },
      ' a',
      { ok: true, mismatches: [], warnings: [] },
    ],
    [
      { mode: 'normalized', formatMismatch: 'fail' },
      'A',
      { ok: false, mismatches: [format], warnings: [] },
    ],
    [{ mode: 'semantic', formatMismatch: 'fail' }, 'A', { ok: true, mismatches: [], warnings: [] }],
  ])('with %j judges %j as %j', (policy, x, verdict) => {
    expect(judgeByRules(readOracle({ rules }, 'o'), { resultJson: { x, y: 1 } }, policy)).toEqual(
      verdict,
    )
  })

  it('names the field and the kind of each mismatch', () => {
    const policy = { mode: 'semantic', formatMismatch: 'ignore' } as const
    const { mismatches } = judgeByRules(
      readOracle({ rules }, 'o'),
      { resultJson: { x: 'b' } },
      policy,
    )
    expect(mismatches).toEqual([
      { field: 'x', op: 'eq', class: 'semantic', message: 'x is something else (eq)' },
      { field: 'y', op: 'eq', class: 'type', message: 'y is missing or of another type (eq)' },
    ])
    expect(judgeByRules(readOracle({ rules }, 'o'), {}, policy).mismatches[1]).toEqual({
      field: '',
      op: 'non_empty',
      class: 'type',
      message: 'the result is missing or of another type (non_empty)',
    })
  })
})

it.each([
  [{ resultJson: 0 }, 0],
  [{ result: '{"a":1}' }, { a: 1 }],
  [{ result: '[1]' }, [1]],
  [{ result: '5' }, '5'],
  [{ result: 'null' }, 'null'],
  [{ result: 'x' }, 'x'],
  [{}, undefined],
])('parsedResult of %j is %j', (feedback, result) => {
  expect(parsedResult(feedback)).toEqual(result)
})
