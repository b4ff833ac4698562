import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCalls } from './call-facts.ts'
import { PageBudget } from './page-budget.ts'
import { TextParts } from './text-parts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zcl-call-facts-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const whole = 'a'.repeat(16)

function call(ms: number, durationMs: number, ids: object): string {
  const event = {
    ...{ v: 1, ts: new Date(Date.UTC(2026, 1, 15, 18, 0, 0, ms)).toISOString() },
    ...{ tool: 'cli', op: 'exec', input: { argv: ['x'] } },
    ...{ result: { ok: true, durationMs }, io: {}, ...ids, chain: '' },
  }
  return `${JSON.stringify(event)}\n`
}

test('a page shows a call below its parent only if it started while the parent ran', () => {
  const part = (ms: number, digit: string) => call(ms, 1, { id: digit.repeat(16), parentId: whole })
  const lines = [part(110, 'b'), call(100, 50, { id: whole }), part(140, 'c'), part(170, 'd')]
  writeFileSync(path.join(folder, 'tool.calls.jsonl'), lines.join(''))
  const { calls } = readCalls({ path: folder, within: folder }, new PageBudget(), new TextParts())
  expect(calls.map(({ line, parent }) => [line, parent])).toEqual([
    [1, 2],
    [2, undefined],
    [3, 2],
    [4, undefined],
  ])
})
