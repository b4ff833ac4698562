import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRedactor } from '@zee/core/redact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { readMessages, timeOf, writeMessages, type AgentMessage } from './messages.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt()
})
afterEach(() => lab.remove())

const name = 'messages.jsonl'
const ts = '2026-02-15T18:00:01.000Z'
const fallbackTs = '2026-02-15T18:00:00.000Z'
const said = (text: string, more: Partial<AgentMessage> = {}): AgentMessage => ({
  ...{ ts, role: 'user', kind: 'text', text, ...more },
})

const write = (...messages: AgentMessage[]) =>
  writeMessages(attempt.folder, attempt.ids, messages, { redactor: createRedactor(), fallbackTs })

const lines = () =>
  attempt
    .read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

it('a message is stored with the ids of its attempt, and read again', async () => {
  const thought = said('Hm', { ts: '', role: 'assistant', kind: 'thinking', afterCalls: 2 })
  expect(await write(said('go'), said(' \n'), thought, said('note', { role: 'system' }))).toBe(3)
  const ids = { v: 1, ...attempt.ids }
  expect(lines()).toEqual([
    { ...ids, ts, role: 'user', kind: 'text', text: 'go', redactionsApplied: [] },
    {
      ...{ ...ids, ts: fallbackTs, role: 'assistant', kind: 'thinking', text: 'Hm' },
      ...{ afterCalls: 2, redactionsApplied: [] },
    },
    { ...ids, ts, role: 'system', kind: 'text', text: 'note', redactionsApplied: [] },
  ])
  expect(readMessages(attempt.folder)).toEqual([
    said('go'),
    { ...thought, ts: fallbackTs },
    said('note', { role: 'system' }),
  ])
})

it('a long message is cut and says so, and a secret is replaced', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  await write(said('x'.repeat(16 * 1024)), said('x'.repeat(16 * 1024 + 1)), said(secret))
  const [whole, cut, redacted] = lines()
  expect(whole).not.toHaveProperty('truncated')
  expect(cut?.truncated).toBe(true)
  expect(Buffer.byteLength(String(cut?.text))).toBeLessThanOrEqual(16 * 1024)
  expect(redacted?.redactionsApplied).toEqual(['github_token'])
  expect(redacted?.text).not.toContain('a1B2')
})

it('an attempt without messages has no file, and a link is refused', async () => {
  expect(await write(said(' '))).toBe(0)
  expect(() => attempt.read(name)).toThrow(/ENOENT/)
  expect(readMessages(attempt.folder)).toEqual([])
  symlinkSync('/dev/null', attempt.file(name))
  await expect(write(said('go'))).rejects.toThrow(name)
  expect(() => readMessages(attempt.folder)).toThrow(name)
})

it('at most 10,000 messages are stored and read', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => said(`${index}`))
  expect(await write(...many)).toBe(10_000)
  appendFileSync(attempt.file(name), `${JSON.stringify(said('more'))}\n`)
  const read = readMessages(attempt.folder)
  expect([read.length, read.at(-1)?.text]).toEqual([10_000, '9999'])
})

it('a record that is no message is skipped, and odd fields have defaults', () => {
  const records = [
    { role: 'tool', text: 'a' },
    { role: 'user' },
    { role: 'user', text: 5 },
    { ts: 5, role: 'user', kind: 'other', text: 'b', afterCalls: '1' },
    { ts, role: 'system', kind: 'thinking', text: '', afterCalls: 0 },
  ]
  const texts = records.map((record) => JSON.stringify(record))
  writeFileSync(attempt.file(name), `damaged\n${texts.join('\n')}\n`)
  expect(readMessages(attempt.folder)).toEqual([
    { ts: '', role: 'user', kind: 'text', text: 'b' },
    { ts, role: 'system', kind: 'thinking', text: '', afterCalls: 0 },
  ])
})

it.each([
  ['2026-02-15T18:00:01Z', '2026-02-15T18:00:01.000Z'],
  ['2026-02-15T19:00:01.5+01:00', '2026-02-15T18:00:01.500Z'],
  ['Sun, 15 Feb 2026 18:00:01 GMT', '2026-02-15T18:00:01.000Z'],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('the time %j is %j', (text, time) => {
  expect(timeOf(text)).toBe(time)
})
