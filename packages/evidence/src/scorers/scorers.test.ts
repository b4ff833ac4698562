import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Score } from '../suite/suite.ts'
import { selectPath } from './json-path.ts'
import { scoreAnswer } from './scorers.ts'

let workspace: string
beforeAll(() => {
  workspace = mkdtempSync(path.join(os.tmpdir(), 'zcl-scorers-'))
  writeFileSync(path.join(workspace, 'out.txt'), 'done')
  symlinkSync('/etc/hostname', path.join(workspace, 'link'))
})
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function isRight(score: Score, answer: unknown): Promise<boolean> {
  const runCommand = async (command: string | readonly string[]) =>
    command === 'yes' ? undefined : 'no'
  const findings = await scoreAnswer(score, { answer, workspace, runCommand })
  return findings.every(({ ok }) => ok)
}

test.each<[string, Score, unknown, boolean]>([
  ['exact compares texts without outer white space', { exact: '42' }, ' 42\n', true],
  ['exact compares a number with its text', { exact: 42 }, '42', true],
  ['exact compares numbers in any notation', { exact: 1.5 }, '1.50', true],
  ['exact rejects another number', { exact: 1.5 }, '1.51', false],
  ['exact compares null', { exact: null }, null, true],
  ['exact is case-sensitive', { exact: 'Paris' }, 'paris', false],
  ['exact compares JSON by value', { exact: { a: 1, b: 2 } }, '{"b":2,"a":1}', true],
  ['contains requires every part', { contains: ['a', 'c'] }, 'abc', true],
  ['contains finds a missing part', { contains: ['a', 'd'] }, 'abc', false],
  ['regex tests the text', { regex: '^v\\d+$' }, 'v12', true],
  ['regex rejects other texts', { regex: '^v\\d+$' }, 'x12', false],
  ['jsonPath compares one place', { jsonPath: { path: '$.a[1]', equals: 2 } }, { a: [1, 2] }, true],
  ['jsonPath accepts a map of places', { jsonPath: { '$.a': 1, '/b': 2 } }, { a: 1, b: 3 }, false],
  ['jsonPath without a value wants the place', { jsonPath: '$.missing' }, { a: 1 }, false],
  ['tolerance accepts a near number', { tolerance: { value: 10, within: 0.5 } }, '10.4', true],
  ['tolerance accepts its own bound', { tolerance: { value: 0.3, within: 0.1 } }, '0.4', true],
  ['tolerance of 0 accepts no other', { tolerance: { value: 0.3 } }, 0.1 + 0.2, false],
  ['tolerance rejects a far number', { tolerance: { value: 10, within: 0.5 } }, 10.6, false],
  ['tolerance may be relative', { tolerance: { value: 200, relative: 0.01 } }, 201.9, true],
  [
    'tolerance reads a place of the answer',
    { tolerance: { value: 1, within: 0, path: '$.n' } },
    { n: 1 },
    true,
  ],
  ['tolerance wants a number', { tolerance: { value: 1, within: 9 } }, 'many', false],
  [
    'fileHash accepts the file',
    { fileHash: { path: 'out.txt', sha256: sha256('done') } },
    '',
    true,
  ],
  ['fileHash rejects another content', { fileHash: { 'out.txt': sha256('other') } }, '', false],
  ['fileHash follows no link out of the workspace', { fileHash: { link: sha256('x') } }, '', false],
  ['command decides by its verdict', { command: 'yes' }, '', true],
  ['all scorers of a mission must agree', { exact: 'a', contains: 'b' }, 'a', false],
])('%s', async (_title, score, answer, expected) => {
  expect(await isRight(score, answer)).toBe(expected)
})

test('a finding never contains the expected value', async () => {
  const runCommand = async () => undefined
  const score = { exact: 'SECRET-ANSWER', jsonPath: { path: '$.x', equals: 'SECRET-ANSWER' } }
  const findings = await scoreAnswer(score, { answer: 'no', workspace, runCommand })
  expect(JSON.stringify(findings)).not.toContain('SECRET-ANSWER')
})

test('selectPath reads quoted keys, pointers, and paths without a dollar', () => {
  const value = { 'full name': { "it's": [7] }, 'a/b': 1 }
  expect(selectPath(value, `$["full name"]['it\\'s'][0]`)).toBe(7)
  expect(selectPath(value, '/a~1b')).toBe(1)
  expect(selectPath({ a: { b: 2 } }, 'a.b')).toBe(2)
  expect(selectPath(value, '$..x')).toBeUndefined()
})
