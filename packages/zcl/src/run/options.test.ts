import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRunOptions } from './options.ts'

test('`zcl run` passes every word after the first -- to the command', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
      const { command, args } = readRunOptions(['--', ...words])
      expect([command, ...args]).toEqual(words)
    }),
  )
})

test('`zcl run` reads its own flags before --', () => {
  expect(readRunOptions(['--capture', '--capture-max-bytes=7', '--', 'x'])).toEqual({
    capture: true,
    captureRaw: false,
    captureMaxBytes: 7,
    envelope: false,
    attempt: undefined,
    serveTrace: undefined,
    serveState: undefined,
    ignoreArgv: [],
    inject: [],
    injectSeed: undefined,
    config: undefined,
    command: 'x',
    args: [],
  })
  const words = ['--envelope', '--json', '--capture', '--capture-raw', '--capture-max-bytes', '9']
  expect(readRunOptions([...words, '--', 'x', '--'])).toMatchObject({
    envelope: true,
    captureRaw: true,
    captureMaxBytes: 9,
    args: ['--'],
  })
})

test.each([
  [[]],
  [['--']],
  [['ls']],
  [['-x', '--', 'ls']],
  [['--capture=yes', '--', 'ls']],
  [['--json', '--', 'ls']],
  [['--envelope', '--', 'ls']],
  [['--capture-raw', '--', 'ls']],
  [['--capture', '--capture-max-bytes', '--', 'ls']],
  [['--capture', '--capture-max-bytes', '0', '--', 'ls']],
  [['--capture', '--capture-max-bytes', '1e3', '--', 'ls']],
])('`zcl run` refuses %j and points to its help', (words) => {
  expect(() => readRunOptions(words)).toThrowError(
    expect.objectContaining({
      code: 'usage',
      exitCode: 2,
      message: expect.stringContaining('zcl run') as string,
    }),
  )
})
