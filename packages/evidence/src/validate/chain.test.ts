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
