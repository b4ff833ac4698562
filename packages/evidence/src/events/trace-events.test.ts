import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eventsByStart } from './trace-events.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zcl-events-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The operations of the events in the order that the reader gives. */
async function order(...events: [op: string, ts: string][]): Promise<string> {
  const lines = events.map(([op, ts]) => `${JSON.stringify({ ts, op })}\n`)
  writeFileSync(path.join(folder, 'tool.calls.jsonl'), lines.join(''))
  const ops: string[] = []
  for await (const { op } of eventsByStart(folder)) ops.push(op)
  return ops.join(' ')
}

test('events come by the start of their calls, whatever the order of their lines', async () => {
  const second = (seconds: number) => `2026-01-01T00:00:0${seconds}.000Z`
  expect(await order(['b', second(2)], ['a', second(1)], ['c', second(3)])).toBe('a b c')
  expect(await order(['c', second(3)], ['b', second(2)], ['a', second(1)])).toBe('a b c')
})

test('events of the same start keep the order of their lines', async () => {
  const ts = '2026-01-01T00:00:00.000Z'
  expect(await order(['x', ts], ['a', ts], ['m', ts])).toBe('x a m')
})

test('starts of different precision compare as times; microseconds count', async () => {
  const at = (fraction: string) => `2026-01-01T00:00:00${fraction}Z`
  expect(await order(['b', at('.5')], ['a', at('')])).toBe('a b')
  expect(await order(['b', at('.000002')], ['a', at('.000001')])).toBe('a b')
})

test('an event without a readable start keeps its place', async () => {
  const ts = (minute: number) => `2026-01-01T00:0${minute}:00Z`
  expect(await order(['a', ts(1)], ['x', 'soon'], ['b', ts(2)])).toBe('a x b')
})
