import { describe, expect, it } from 'vitest'
import { comparisonFor, ruleOps, type RuleOp } from './comparisons.ts'

it('the operations are those of the contract', () => {
  expect(ruleOps).toEqual([
    ...['eq', 'eq_ref', 'starts_with', 'contains', 'gte', 'non_empty', 'url_eq_loose', 'set_eq'],
    ...['num_eq', 'contains_phrase', 'command_head_eq'],
  ])
})

it.each<[RuleOp, string | undefined]>([
  ['eq', undefined],
  ['eq_ref', 'ref'],
  ['non_empty', 'nothing'],
  ['num_eq', undefined],
])('%s needs %s', (op, needs) => {
  expect(comparisonFor(op).needs).toBe(needs)
})

describe('a comparison', () => {
  it.each<[RuleOp, unknown, unknown, boolean]>([
    ['eq', undefined, undefined, false],
    ['eq', 1, undefined, false],
    ['eq', null, null, true],
    ['eq', 1, '1', false],
    ['starts_with', '12a', 12, true],
    ['starts_with', 12, 1, false],
    ['starts_with', 'true', true, false],
    ['contains', 'a5b', 5, true],
    ['contains', ['a'], 'b', false],
    ['contains', [{ a: 1 }], { a: 1 }, true],
    ['contains', { a: 1 }, 'a', false],
    ['gte', 2, 2, true],
    ['gte', 1.9, '2', false],
    ['gte', 'x', 1, false],
    ['gte', 1, 'x', false],
    ['non_empty', undefined, undefined, false],
    ['non_empty', null, undefined, false],
    ['non_empty', {}, undefined, false],
    ['non_empty', { a: 1 }, undefined, true],
    ['non_empty', [0], undefined, true],
    ['non_empty', false, undefined, true],
    ['url_eq_loose', 'x y', 'x y', false],
    ['url_eq_loose', 'a.com', 'b.com', false],
    ['url_eq_loose', 'a.com', 'http://a.com', true],
    ['set_eq', [1, 2], [2, 1], true],
    ['set_eq', [1, 2], [1, 3], false],
    ['set_eq', [1], [1, 2], false],
    ['set_eq', 'a', ['a'], false],
    ['set_eq', ['a'], 'a', false],
    ['num_eq', 5, '5', true],
    ['num_eq', 5, 6, false],
    ['num_eq', 'x', 5, false],
    ['num_eq', 5, 'x', false],
    ['contains_phrase', 'The Cat, sat', 'cat sat', true],
    ['contains_phrase', 'The catsat', 'cat', false],
    ['contains_phrase', 'a 5 b', 5, true],
    ['contains_phrase', 5, '5', false],
    ['contains_phrase', 'a', '?!', false],
    ['contains_phrase', 'a', '', false],
    ['command_head_eq', 'git log', 'git', true],
    ['command_head_eq', ['A=1', '/bin/git', 'x'], '$ git y', true],
    ['command_head_eq', 'A=1', 'A=1', false],
    ['command_head_eq', '', '', false],
    ['command_head_eq', 5, 5, false],
    ['command_head_eq', 'git', 'hg', false],
  ])('%s of %j with %j is %s', (op, actual, expected, holds) => {
    expect(comparisonFor(op).holds(actual, expected, {})).toBe(holds)
  })

  it.each([
    [3, 2, 1, true],
    [1, 2, 1, true],
    [3.1, 2, 1, false],
    [2, 2, 0, true],
  ])('num_eq of %d with %d within %d is %s', (actual, expected, tolerance, holds) => {
    expect(comparisonFor('num_eq').holds(actual, expected, { tolerance })).toBe(holds)
  })

  it.each<[RuleOp, unknown, boolean | undefined]>([
    ['eq', 'a', undefined],
    ['contains', 'a', true],
    ['contains', [], true],
    ['contains', 5, false],
    ['set_eq', 'a', true],
    ['set_eq', {}, false],
    ['gte', '5', true],
    ['gte', 'x', false],
    ['num_eq', 5, true],
    ['num_eq', undefined, false],
    ['non_empty', undefined, false],
    ['non_empty', null, true],
  ])('%s says whether the type of %j fits: %s', (op, actual, fits) => {
    expect(comparisonFor(op).fits?.(actual)).toBe(fits)
  })
})
