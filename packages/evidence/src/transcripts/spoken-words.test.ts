import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spokenWords } from './transcripts.ts'

let HOME: string
beforeEach(() => {
  HOME = mkdtempSync(path.join(os.tmpdir(), 'zcl-words-'))
})
afterEach(() => rmSync(HOME, { recursive: true, force: true }))

function log(name: string, ...lines: object[]): void {
  const file = path.join(HOME, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

test('the words of zdx and Claude Code are read from a private HOME, in the order of time', () => {
  log(
    '.config/zdx/sessions/a.jsonl',
    { type: 'message', role: 'user', text: 'Count.', ts: '2026-01-01T00:00:01Z' },
    { type: 'thinking', text: 'Hm.', ts: '2026-01-01T00:00:02Z' },
    { type: 'message', role: 'assistant', text: 'Three.', ts: '2026-01-01T00:00:04Z' },
  )
  const text = { type: 'text', text: 'I look first.' }
  log('.claude/projects/p/s.jsonl', {
    type: 'assistant',
    sessionId: 's',
    uuid: 'u',
    timestamp: '2026-01-01T00:00:03Z',
    message: { id: 'm', role: 'assistant', model: 'm', content: [text] },
  })
  expect(spokenWords({ HOME }).map(({ role, kind, text: said }) => [role, kind, said])).toEqual([
    ['user', 'text', 'Count.'],
    ['assistant', 'thinking', 'Hm.'],
    ['assistant', 'text', 'I look first.'],
    ['assistant', 'text', 'Three.'],
  ])
})

test('a HOME without logs, and logs that do not parse, have no words', () => {
  expect(spokenWords({ HOME })).toEqual([])
  log('.codex/sessions/2026/01/01/rollout-x.jsonl')
  writeFileSync(path.join(HOME, '.codex/sessions/2026/01/01/rollout-x.jsonl'), 'not json\n')
  expect(spokenWords({ HOME })).toEqual([])
})
