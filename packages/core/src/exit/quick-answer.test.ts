import { describe, expect, it } from 'vitest'
import { asksForText, quickAnswer } from './quick-answer.ts'

const texts = { version: 'v\n', help: { '': 'root\n', run: 'run\n', 'sessions list': 'list\n' } }

describe('a quick answer', () => {
  it.each([
    [['--version'], 'v\n'],
    [['version'], 'v\n'],
    [['--help'], 'root\n'],
    [['-h'], 'root\n'],
    [['help'], 'root\n'],
    [['run', '--help'], 'run\n'],
    [['help', 'run'], 'run\n'],
    [['sessions', 'list', '-h'], 'list\n'],
    [['help', 'sessions', 'list'], 'list\n'],
  ])('is given for %j', (args, text) => {
    expect(asksForText(args, false)).toBe(true)
    expect(quickAnswer(args, texts)).toBe(text)
  })

  it.each([
    [['run', '-p', '--help']],
    [['--', '--help']],
    [['unknown', '--help']],
    [['help', 'unknown']],
    [['constructor', '--help']],
    [['__proto__', '--help']],
  ])('is left to the parser for %j', (args) => {
    expect(quickAnswer(args, texts)).toBeUndefined()
  })

  it('is the help for no arguments only where the program says so', () => {
    expect(asksForText([], true)).toBe(true)
    expect(quickAnswer([], texts)).toBe('root\n')
    expect(asksForText([], false)).toBe(false)
  })

  it('is not looked for when the arguments ask for something else', () => {
    expect(asksForText(['run', 'x'], true)).toBe(false)
    expect(asksForText(['run', '--', 'ls', '--version'], true)).toBe(false)
  })
})
