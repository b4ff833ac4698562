import { describe, expect, it } from 'vitest'
import { closestName } from './spelling.ts'

describe('the closest name', () => {
  const known = ['exec', 'sessions', 'config', '--json']
  it.each([
    ['exce', 'exec'],
    ['session', 'sessions'],
    ['cnofig', 'config'],
    ['--jso', '--json'],
    ['frobnicate', undefined],
    ['x', undefined],
    ['', undefined],
  ])('to %j is %j', (word, expected) => {
    expect(closestName(word, known)).toBe(expected)
  })
})
