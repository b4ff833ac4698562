import { expect, test } from 'vitest'
import { ChainCheck, type ChainVerdict } from './chain.ts'
import { chainStart, lineHash } from '@zee/core/chain'

interface Line {
  body: string
  chain?: string
}

function chained(count: number): Line[] {
  const lines: Line[] = []
  let chain = chainStart
  for (let index = 0; index < count; index++) {
    const line = { body: `call ${index + 1}`, chain }
    lines.push(line)
    chain = hashOf(line)
  }
  return lines
}

function hashOf(line: Line): string {
  return lineHash(Buffer.from(JSON.stringify(line)))
}

function check(lines: readonly Line[], sealed?: readonly Line[]): ChainVerdict {
  const last = sealed?.at(-1)
  const seal = last === undefined ? undefined : { root: hashOf(last), lines: sealed?.length ?? 0 }
  const chain = new ChainCheck(seal)
  for (const [index, line] of lines.entries()) {
    chain.add(Buffer.from(JSON.stringify(line)), index + 1, line.chain, true)
  }
  return chain.verdict()
}

test('ChainCheck accepts an unchanged chain', () => {
  const lines = chained(5)
  expect(check(lines, lines)).toEqual({
    broken: undefined,
    sealed: false,
    appended: 0,
    unchained: undefined,
  })
})

test.each([1, 2, 3, 4, 5])('ChainCheck locates an edit of line %i', (number) => {
  const sealed = chained(5)
  const lines = sealed.map((line, at) => (at === number - 1 ? { ...line, body: 'edited' } : line))
  expect(check(lines, sealed)).toMatchObject({ broken: { line: number }, sealed: true })
})

test.each([1, 2, 3, 4, 5])(
  'ChainCheck locates the removal of line %i at the line that took its place',
  (number) => {
    const sealed = chained(5)
    const lines = sealed.filter((_, at) => at !== number - 1)
    expect(check(lines, sealed)).toMatchObject({ broken: { line: number }, sealed: true })
  },
)

test.each([1, 2, 3, 4])('ChainCheck locates an insertion before line %i', (number) => {
  const sealed = chained(4)
  const lines = sealed.toSpliced(number - 1, 0, { body: 'new', chain: 'f'.repeat(64) })
  expect(check(lines, sealed)).toMatchObject({ broken: { line: number }, sealed: true })
})

test('ChainCheck detects a duplicated line', () => {
  const sealed = chained(4)
  const copy = sealed[1] as Line
  expect(check(sealed.toSpliced(2, 0, copy), sealed).broken).toBeDefined()
})

test('ChainCheck counts lines appended after the seal without reporting a break', () => {
  const lines = chained(6)
  expect(check(lines, lines.slice(0, 4))).toMatchObject({ broken: undefined, appended: 2 })
})

test('ChainCheck reports an edit after the sealed lines as not sealed', () => {
  const lines = chained(6).map((line, at) => (at === 4 ? { ...line, body: 'edited' } : line))
  expect(check(lines, lines.slice(0, 3))).toMatchObject({ broken: { line: 5 }, sealed: false })
})

test('ChainCheck detects an edit without a seal', () => {
  const lines = chained(3).map((line, at) => (at === 0 ? { ...line, body: 'edited' } : line))
  expect(check(lines)).toMatchObject({ broken: { line: 1 }, sealed: false })
})

test('ChainCheck detects a completely rewritten chain by its last hash', () => {
  const lines = chained(4)
  const sealed = lines.map((line) => ({ ...line, body: `${line.body}!` }))
  expect(check(lines, sealed)).toMatchObject({ broken: { line: 4 }, sealed: true })
})

test('ChainCheck restarts the chain at a line without a hash', () => {
  const [first, second] = chained(2) as [Line, Line]
  const bare = { body: 'foreign' }
  const after = { body: 'after', chain: hashOf(bare) }
  expect(check([first, second, bare, after])).toMatchObject({ broken: undefined, unchained: 3 })
  expect(check([bare, { body: 'other' }])).toMatchObject({
    broken: undefined,
    unchained: undefined,
  })
})

test('ChainCheck checks a trace without hashes by its last line and its length', () => {
  const bare = ['a', 'b', 'c'].map((body) => ({ body }))
  expect(check(bare, bare).broken).toBeUndefined()
  expect(check(bare.slice(0, 2), bare)).toMatchObject({ broken: { line: 3 }, sealed: true })
  expect(check([...bare.slice(0, 2), { body: 'x' }], bare).broken).toMatchObject({ line: 3 })
  expect(check([{ body: 'x' }, ...bare], bare).sealed).toBe(true)
})

const edited = 'was edited, or the line after it was removed'
const removed = 'does not follow what is before it: lines were removed'

test.each<[string, (lines: Line[]) => Line[], ChainVerdict['broken'], number]>([
  [
    'an edit',
    (lines) => lines.with(1, { ...(lines[1] as Line), body: 'x' }),
    { line: 2, how: edited },
    0,
  ],
  ['a removed first line', (lines) => lines.slice(1), { line: 1, how: removed }, 0],
  ['a removed line', (lines) => lines.toSpliced(2, 1), { line: 3, how: removed }, 0],
  ['a removed last line', (lines) => lines.slice(0, 3), { line: 4, how: 'was removed' }, 0],
  ['two removed last lines', (lines) => lines.slice(0, 2), { line: 3, how: 'was removed' }, 0],
  ['no line', () => [], { line: 1, how: 'was removed' }, 0],
  [
    'an inserted line',
    (lines) => lines.toSpliced(2, 0, { body: 'new', chain: 'f'.repeat(64) }),
    { line: 3, how: 'was inserted' },
    0,
  ],
  [
    'an inserted line that continues the chain',
    (lines) => lines.toSpliced(2, 0, { body: 'new', chain: hashOf(lines[1] as Line) }),
    { line: 3, how: 'was inserted' },
    0,
  ],
  [
    'an edited last line',
    (lines) => lines.with(3, { ...(lines[3] as Line), body: 'x' }),
    { line: 4, how: 'was edited' },
    0,
  ],
])('ChainCheck tells what happened to sealed lines: %s', (_, change, broken, appended) => {
  const lines = chained(4)
  expect(check(change(lines), lines)).toEqual({
    broken,
    sealed: true,
    appended,
    unchained: undefined,
  })
})

test('ChainCheck tells that lines without hashes were removed or inserted before the last one', () => {
  const bare = ['a', 'b', 'c'].map((body) => ({ body }))
  const [, ...less] = bare
  const how = 'or one before it was removed or inserted: the report covers'
  expect(check(less, bare)).toEqual({
    broken: { line: 2, how: `${how} 3 lines, now there are 2` },
    sealed: true,
    appended: 0,
    unchained: undefined,
  })
  expect(check([{ body: 'x' }, ...bare], bare).broken).toEqual({
    line: 3,
    how: `${how} 3 lines, now there are 4`,
  })
})

test('ChainCheck needs no number of lines to locate the last line', () => {
  const lines = chained(3)
  const verdictFor = (root: string) => {
    const chain = new ChainCheck({ root, lines: undefined })
    for (const [index, line] of lines.entries()) {
      chain.add(Buffer.from(JSON.stringify(line)), index + 1, line.chain, true)
    }
    return chain.verdict()
  }
  const none = { broken: undefined, sealed: false, appended: 0, unchained: undefined }
  expect(verdictFor(hashOf(lines[2] as Line))).toEqual(none)
  expect(verdictFor(hashOf(lines[1] as Line))).toEqual({ ...none, appended: 1 })
  const broken = { line: 3, how: 'was edited' }
  expect(verdictFor('f'.repeat(64))).toEqual({ ...none, broken, sealed: true })
})

test.each([
  [63, 'was inserted'],
  [64, edited],
])('ChainCheck remembers 64 lines: %i inserted lines', (count, how) => {
  const [first, second] = chained(2) as [Line, Line]
  const inserted = Array.from({ length: count }, (_, index) => ({ body: `new ${index}` }))
  expect(check([first, ...inserted, second]).broken?.how).toBe(how)
})

test('ChainCheck does not take a line that cannot be parsed for one without a hash', () => {
  const [first] = chained(1) as [Line]
  const chain = new ChainCheck(undefined)
  chain.add(Buffer.from(JSON.stringify(first)), 1, first.chain, true)
  chain.add(Buffer.from('x'), 2, undefined, false)
  expect(chain.verdict().unchained).toBeUndefined()
  chain.add(Buffer.from('{}'), 4, undefined, true)
  expect(chain.verdict().unchained).toBe(4)
})
