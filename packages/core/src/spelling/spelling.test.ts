import { describe, expect, it } from 'vitest'
import { closestName } from './spelling.ts'

describe('closestName', () => {
  const names = ['exec', 'sessions', 'config', '--json']
  it.each([
    ['exce', 'exec'],
    ['session', 'sessions'],
    ['cnofig', 'config'],
    ['--jso', '--json'],
    ['frobnicate', undefined],
    ['x', undefined],
    ['', undefined],
  ])('returns for %j the name %j', (word, expected) => {
    expect(closestName(word, names)).toBe(expected)
  })
})
