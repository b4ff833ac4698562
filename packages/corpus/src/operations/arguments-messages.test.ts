import { expect, test } from 'vitest'
import {
  argumentsOf,
  booleanArgument,
  choiceArgument,
  listArgument,
  numberArgument,
  optionalInteger,
  optionalNumber,
  requiredText,
  textArgument,
  textsArgument,
} from './arguments.ts'

const none = new Error('no error')

function errorOf(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  return none
}

test.each([[[1]], ['x'], [1], [true], [() => undefined]])(
  'arguments of the type of %j are an error with the code argument',
  (args) => {
    const error = errorOf(() => argumentsOf(args))
    expect([error.message, 'code' in error && error.code]).toEqual([
      'args must be an object',
      'argument',
    ])
  },
)

test('an object is returned as it is', () => {
  const args = { a: 1 }
  expect(argumentsOf(args)).toBe(args)
})

test.each([
  [1, 1],
  [0, 0],
  [-0.9, 0],
  [2.9, 2],
  ['7', 7],
  ['-0', 0],
  ['+7', 7],
  [' 7\n', 7],
  ['1_000_000', 1_000_000],
  [true, 1],
  [false, 0],
  [null, undefined],
  [undefined, undefined],
])('the number %j is read as %j', (value, expected) => {
  expect(optionalNumber({ n: value }, 'n')).toBe(expected)
  expect(optionalInteger({ n: value }, 'n')).toBe(expected)
  expect(numberArgument({ n: value }, 'n', 77)).toBe(expected ?? 77)
})

test.each([
  [-1, -1],
  ['-12', -12],
  [-2.9, -2],
])('the integer %j is read as %i, and refused as a number of 0 or more', (value, expected) => {
  expect(optionalInteger({ n: value }, 'n')).toBe(expected)
  expect(errorOf(() => optionalNumber({ n: value }, 'n')).message).toBe(
    `n must be 0 or more, got ${expected}`,
  )
})

test.each([
  ['x', '"x"'],
  ['', '""'],
  ['1__0', '"1__0"'],
  ['_1', '"_1"'],
  ['1_', '"1_"'],
  ['1.5', '"1.5"'],
  ['--1', '"--1"'],
  [[], '[]'],
  [{ a: 1 }, '{"a":1}'],
  [Number.NaN, 'null'],
  [Infinity, 'null'],
  [() => 1, '() => 1'],
  ['x'.repeat(58), `"${'x'.repeat(58)}"`],
  ['x'.repeat(59), `"${'x'.repeat(59)}...`],
])('%j is no integer, and the message shows it', (value, shown) => {
  expect(errorOf(() => optionalInteger({ n: value }, 'n')).message).toBe(
    `n must be a whole number, got ${shown}`,
  )
})

test.each([
  [
    'boolean',
    () => booleanArgument({ a: 'true' }, 'a', true),
    'a must be true or false, got "true"',
  ],
  ['boolean 0', () => booleanArgument({ a: 0 }, 'a', true), 'a must be true or false, got 0'],
  ['text', () => textArgument({ a: 5 }, 'a'), 'a must be a string, got 5'],
  ['text list', () => textArgument({ a: ['x'] }, 'a'), 'a must be a string, got ["x"]'],
  ['required text', () => requiredText({ a: '' }, 'a'), 'missing a'],
  ['texts', () => textsArgument({ a: 5 }, 'a'), 'a must be a list of strings, got 5'],
  [
    'mixed texts',
    () => textsArgument({ a: ['x', 1] }, 'a'),
    'a must be a list of strings, got ["x",1]',
  ],
  [
    'choice',
    () => choiceArgument({ a: 'z' }, 'a', ['x', 'y'], 'x'),
    'a must be one of x, y, got "z"',
  ],
  ['list', () => listArgument({ a: 'x' }, 'a'), 'a must be a list, got "x"'],
  ['missing list', () => listArgument({}, 'a'), 'missing a'],
  ['null list', () => listArgument({ a: null }, 'a'), 'missing a'],
])('the message about an invalid %s names the argument and the value', (_, run, message) => {
  expect(errorOf(run).message).toBe(message)
})

test('valid booleans, texts, lists and choices are returned, and absent ones have a fallback', () => {
  expect([true, false].map((a) => booleanArgument({ a }, 'a', !a))).toEqual([true, false])
  expect([true, false].map((fallback) => booleanArgument({}, 'a', fallback))).toEqual([true, false])
  expect(['x', '', null, undefined].map((a) => textArgument({ a }, 'a'))).toEqual([
    'x',
    undefined,
    undefined,
    undefined,
  ])
  expect(requiredText({ a: 'x' }, 'a')).toBe('x')
  expect(['x', '', null, ['x', 'y'], []].map((a) => textsArgument({ a }, 'a'))).toEqual([
    ['x'],
    [],
    [],
    ['x', 'y'],
    [],
  ])
  expect(['y', 'x', '', null].map((a) => choiceArgument({ a }, 'a', ['x', 'y'], 'x'))).toEqual([
    'y',
    'x',
    'x',
    'x',
  ])
  expect(listArgument({ a: [1, 'x'] }, 'a')).toEqual([1, 'x'])
})
