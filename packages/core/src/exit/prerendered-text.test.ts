import { describe, expect, it } from 'vitest'
import { isTextRequest, findPrerenderedText } from './prerendered-text.ts'

const texts = { version: 'v\n', help: { '': 'root\n', run: 'run\n', 'sessions list': 'list\n' } }

describe('a prerendered text', () => {
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
  ])('is found for %j', (args, text) => {
    expect(isTextRequest(args, false)).toBe(true)
    expect(findPrerenderedText(args, texts)).toBe(text)
  })

  it.each([
    [['run', '-p', '--help']],
    [['--', '--help']],
    [['unknown', '--help']],
    [['help', 'unknown']],
    [['constructor', '--help']],
    [['__proto__', '--help']],
  ])('is left to the parser for %j', (args) => {
    expect(findPrerenderedText(args, texts)).toBeUndefined()
  })

  it('is the root help without arguments, if the program wants that', () => {
    expect(isTextRequest([], true)).toBe(true)
    expect(findPrerenderedText([], texts)).toBe('root\n')
    expect(isTextRequest([], false)).toBe(false)
  })

  it('is not read for arguments that cannot request it', () => {
    expect(isTextRequest(['run', 'x'], true)).toBe(false)
    expect(isTextRequest(['run', '--', 'ls', '--version'], true)).toBe(false)
  })
})

it.each<[string[], boolean, string | undefined]>([
  [['version', '--help'], true, 'root\n'],
  [['--version', '--help'], true, undefined],
  [['--version', 'x'], false, undefined],
  [['x', 'version'], false, undefined],
  [['help', 'help'], true, undefined],
  [['help', '-h'], true, 'root\n'],
  [['help', 'run', '--help'], true, 'run\n'],
  [['run', 'help'], false, undefined],
  [['run', '--x', '-h'], true, undefined],
  [['sessions', '--help', 'list'], false, undefined],
  [['run'], false, 'run\n'],
])('%j may request a text: %s, and its text is %j', (args, mayRequest, text) => {
  expect(isTextRequest(args, false)).toBe(mayRequest)
  expect(findPrerenderedText(args, texts)).toBe(text)
})
