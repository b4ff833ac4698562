import { describe, expect, test } from 'vitest'
import { createRedactor } from '../redact/redact.ts'
import { createLogger, parseLevel } from './log.ts'
import type { LogFields, LogLevel } from './log.ts'

function linesOf(level: LogLevel, work: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  work(createLogger({ name: 'zino.ctx', level, write, redactor: createRedactor() }))
  return lines
}

const lineOf = (message: string, fields?: LogFields): string =>
  linesOf('DEBUG', (log) => log.info(message, fields))[0] ?? ''

describe('a logger', () => {
  test('writes the name, the level and the message', () => {
    const lines = linesOf('DEBUG', (log) => {
      log.debug('one')
      log.info('two')
      log.warn('three')
      log.error('four')
    })
    expect(lines).toEqual([
      'zino.ctx DEBUG one\n',
      'zino.ctx INFO two\n',
      'zino.ctx WARNING three\n',
      'zino.ctx ERROR four\n',
    ])
  })

  test.each<[LogLevel, number]>([
    ['DEBUG', 4],
    ['INFO', 3],
    ['WARNING', 2],
    ['ERROR', 1],
  ])('of level %s writes %i of the four levels', (level, count) => {
    const lines = linesOf(level, (log) => {
      for (const write of [log.debug, log.info, log.warn, log.error]) write('event')
    })
    expect(lines).toHaveLength(count)
  })

  test('writes fields as key=value and omits undefined ones', () => {
    const line = lineOf('done', {
      bytes: 12,
      ok: true,
      none: undefined,
      id: 'a1',
      empty: '',
      no: null,
    })
    expect(line).toBe('zino.ctx INFO done bytes=12 ok=true id=a1 empty="" no=null\n')
  })

  test('quotes values with spaces, quotes or line breaks and keeps them on one line', () => {
    expect(lineOf('x', { path: 'a b' })).toContain('path="a b"')
    expect(lineOf('x', { say: 'he said "no"\\' })).toContain(String.raw`say="he said \"no\"\\"`)
    expect(lineOf('x', { text: 'a\r\nb\tc\u0000\u001b[31m' })).toContain(
      String.raw`text="a\r\nb\tc\u0000\u001b[31m"`,
    )
    expect(lineOf('x', { text: '\u2028\u202e\ud800' })).toContain(String.raw`"\u2028\u202e\ud800"`)
    expect(lineOf('x', { list: [1, 'a'], why: new Error('no\nway') })).toContain(
      String.raw`list="[1,\"a\"]" why="no way"`,
    )
    expect(lineOf('x', { 'a key=': 1 })).toContain('a_key_=1')
  })

  test('escapes line breaks in a message, so that it cannot forge a line', () => {
    expect(lineOf('one\nzino.ctx ERROR two')).toBe('zino.ctx INFO one\\nzino.ctx ERROR two\n')
  })

  test('truncates long values and messages', () => {
    expect(lineOf('x', { text: 'é'.repeat(100_000) }).length).toBeLessThan(3_000)
    expect(lineOf('x', { text: 'a'.repeat(5_000) })).toContain('aaa...(+2952 bytes)')
    expect(lineOf('m'.repeat(1_000_000)).length).toBeLessThan(17_000)
  })

  test('redacts secrets in messages, in values and by field name', () => {
    expect(lineOf('got API_KEY=hunter2hunter2')).not.toContain('hunter2')
    expect(lineOf('x', { url: 'https://u:hunter2@host' })).not.toContain('hunter2')
    expect(lineOf('x', { apiKey: 'hunter2hunter2' })).toContain('apiKey=[REDACTED:ENV_SECRET]')
    expect(lineOf('x', { body: { password: 'hunter2hunter2' } })).not.toContain('hunter2')
  })
})

test('a logger does not throw when a write throws or a value cannot be printed', () => {
  const write = (): void => {
    throw new Error('EPIPE')
  }
  expect(() => createLogger({ name: 'n', level: 'DEBUG', write }).error('x')).not.toThrow()
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  expect(lineOf('x', { cycle, big: 1n })).toContain('big=1')
  const hostile = {
    toJSON: () => {
      throw new Error('no')
    },
  }
  expect(lineOf('x', { hostile })).toContain('[unprintable]')
})

test.each([
  ['debug', 'DEBUG'],
  [' Warning ', 'WARNING'],
  ['warn', 'WARNING'],
  ['ERROR', 'ERROR'],
  ['iNfO', 'INFO'],
  ['loud', 'INFO'],
  ['', 'INFO'],
  [undefined, 'INFO'],
])('parseLevel reads %j as %s', (text, expected) => {
  expect(parseLevel(text)).toBe(expected)
})

describe('the exact line', () => {
  const plain = (message: string, fields?: LogFields): string => {
    const lines: string[] = []
    const logger = createLogger({
      name: 'n',
      level: 'INFO',
      write: (line) => void lines.push(line),
    })
    logger.info(message, fields)
    return lines.join('')
  }

  test.each<[unknown, string]>([
    ['', '""'],
    ['a', 'a'],
    ['a b', '"a b"'],
    ['a=b', '"a=b"'],
    ['"', String.raw`"\""`],
    ['\\', String.raw`"\\"`],
    ['a\tb', String.raw`"a\tb"`],
    ['\u0007', String.raw`"\u0007"`],
    ['\u00ad', String.raw`"\u00ad"`],
    ['\u{e0041}', String.raw`"\ue0041"`],
    ['\u2028\ud800', String.raw`"\u2028\ud800"`],
    [null, 'null'],
    [0, '0'],
    [false, 'false'],
    [{ a: [1] }, String.raw`"{\"a\":[1]}"`],
    [{ toJSON: () => undefined }, '"[object Object]"'],
    [{ big: 1n }, '[unprintable]'],
    [new Error('broken'), 'broken'],
    ['x'.repeat(2048), 'x'.repeat(2048)],
    ['x'.repeat(2049), `${'x'.repeat(2048)}...(+1 bytes)`.replace(/^(.*)$/, '"$1"')],
    ['é'.repeat(1025), `"${'é'.repeat(1024)}...(+2 bytes)"`],
  ])('of a value (case %#) has it in a form of one word', (value, shown) => {
    expect(plain('m', { k: value })).toBe(`n INFO m k=${shown}\n`)
  })

  test.each([
    ['x'.repeat(16_384), 'x'.repeat(16_384)],
    ['x'.repeat(16_385), `${'x'.repeat(16_384)}...(+1 bytes)`],
    ['a\nb\rc', String.raw`a\nb\rc`],
  ])('of a message (case %#) is bounded and on one line', (message, shown) => {
    expect(plain(message)).toBe(`n INFO ${shown}\n`)
  })

  test('has keys without spaces, quotes and equals signs, and no undefined values', () => {
    const fields = { 'a "b"=': 1, 'x\ny': 2, none: undefined, last: 3 }
    expect(plain('m', fields)).toBe(String.raw`n INFO m a__b__=1 x\ny=2 last=3` + '\n')
  })

  test('hides secrets in messages and values', () => {
    expect(lineOf('got API_KEY=hunter2hunter2')).toBe(
      'zino.ctx INFO got API_KEY=[REDACTED:ENV_SECRET]\n',
    )
    expect(lineOf('x', { body: { password: 'hunter2hunter2' } })).toBe(
      String.raw`zino.ctx INFO x body="{\"password\":\"[REDACTED:ENV_SECRET]\"}"` + '\n',
    )
    expect(lineOf('x', { why: new Error('no\nway') })).toBe('zino.ctx INFO x why="no way"\n')
  })
})
