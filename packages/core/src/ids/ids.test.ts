import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isKebabId, isRunId, kebabId, newRunId, newUuid, randomHex } from './ids.ts'

describe('run ids', () => {
  test('consist of the UTC second of creation and three random bytes', () => {
    const id = newRunId(new Date('2026-02-15T18:00:12.987Z'))
    expect(id).toMatch(/^20260215-180012Z-[0-9a-f]{6}$/)
    expect(isRunId(id)).toBe(true)
    expect(() => newRunId(new Date(Number.NaN))).toThrow(/0000 to 9999/)
  })

  test.each([
    ['0000-01-01T00:00:00.000Z', '00000101-000000Z'],
    ['9999-12-31T23:59:59.999Z', '99991231-235959Z'],
  ])('exist for the time %s', (time, start) => {
    expect(newRunId(new Date(time)).slice(0, -7)).toBe(start)
  })

  test.each(['-000001-12-31T23:59:59Z', '+010000-01-01T00:00:00Z'])(
    'do not exist for the time %s',
    (time) => {
      expect(() => newRunId(new Date(time))).toThrow(
        expect.objectContaining({
          code: 'invalid_time',
          message: 'a run id needs a time within the years 0000 to 9999',
        }),
      )
    },
  )

  test('differ within one second', () => {
    const now = new Date()
    expect(new Set(Array.from({ length: 50 }, () => newRunId(now))).size).toBeGreaterThan(45)
  })

  test.each([
    'latest',
    '../../../outside',
    '20260215-180012Z-09C5A6',
    '20260215-180012Z-09c5a',
    '20260215-180012Z-09c5a67',
    '20260215-180012-09c5a6',
    '20260215-180012Z-09c5a6\n',
    '',
  ])('do not include %j', (text) => {
    expect(isRunId(text)).toBe(false)
  })
})

describe('kebab ids', () => {
  test.each([
    ['Smoke_Test  Web!!', 'smoke-test-web'],
    ['__A__b--', 'a-b'],
    ['UPPER.case/path\\x', 'upper-case-path-x'],
    ['Größe für 1', 'gr-e-f-r-1'],
    ['../../etc/shadow', 'etc-shadow'],
    ['  already-kebab-1 ', 'already-kebab-1'],
    ['\u212aelvin', 'kelvin'],
    ['a\u0000b', 'a-b'],
    ['!!!', ''],
    ['___', ''],
    ['', ''],
  ])('turn %j into %j', (text, expected) => {
    expect(kebabId(text)).toBe(expected)
  })

  test('are cut first and trimmed of a trailing dash afterwards', () => {
    expect(kebabId('a'.repeat(70))).toBe('a'.repeat(64))
    expect(kebabId(`${'a'.repeat(63)} bcd`)).toBe('a'.repeat(63))
    expect(kebabId(`${'a'.repeat(62)} bcd`)).toBe(`${'a'.repeat(62)}-b`)
    expect(kebabId('ab cd', 3)).toBe('ab')
    expect(kebabId('abc', 0)).toBe('')
    expect(kebabId('abc', -1)).toBe('')
    expect(kebabId('-a')).toBe('a')
    expect(kebabId('-abc', 2)).toBe('ab')
  })

  test('are empty or valid, within the limit, and unchanged by a second pass', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'Z', '9', '_', '-', ' ', 'é', '/'), maxLength: 120 }),
    )
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 80 }), (text, cap) => {
        const id = kebabId(text, cap)
        expect(id === '' || isKebabId(id)).toBe(true)
        expect(Buffer.byteLength(id)).toBeLessThanOrEqual(cap)
        expect(kebabId(id, cap)).toBe(id)
      }),
    )
  })

  test('equal the result of the contract steps applied one by one', () => {
    const bySteps = (text: string): string => {
      let id = text.trim().toLowerCase().replaceAll('_', '-')
      id = id.replace(/[^a-z0-9-]+/g, '-').replace(/-+/g, '-')
      id = id.replace(/^-|-$/g, '').slice(0, 64)
      return id.replace(/-$/, '')
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(kebabId(text)).toBe(bySteps(text))
      }),
    )
  })

  test('take linear time for a million dashes', () => {
    expect(kebabId(`${'-'.repeat(1_000_000)}a${'-'.repeat(1_000_000)}`)).toBe('a')
    expect(isKebabId('a-'.repeat(1_000_000))).toBe(false)
  })

  test.each(['a', 'a1-b2', '0'])('include %j', (id) => expect(isKebabId(id)).toBe(true))
  test.each(['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a b', 'a\n', 'ä'])('do not include %j', (text) =>
    expect(isKebabId(text)).toBe(false),
  )
})

describe('random ids', () => {
  test('include UUIDs of version 4 in lower case', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    const ids = Array.from({ length: 100 }, newUuid)
    for (const id of ids) expect(id).toMatch(form)
    expect(new Set(ids).size).toBe(100)
  })

  test('include hex with two digits per byte', () => {
    expect(randomHex(6)).toMatch(/^[0-9a-f]{12}$/)
    expect(randomHex(0)).toBe('')
    for (const count of [127, 128, 129, 1000]) expect(randomHex(count)).toHaveLength(2 * count)
    const many = Array.from({ length: 200 }, () => randomHex(8))
    expect(new Set(many).size).toBe(200)
  })
})
