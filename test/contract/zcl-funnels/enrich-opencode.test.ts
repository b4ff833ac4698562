import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunnerLab, promptStart, thread, type RunnerLab } from './runner-lab.ts'

let lab: RunnerLab
beforeEach(async () => {
  lab = await createRunnerLab()
})
afterEach(() => lab.remove())

describe('zcl enrich --runner opencode', () => {
  it('reads its database, or names the Node version that this needs', async () => {
    const other = '11111111-2222-7333-8444-555555555555'
    const file = path.join(lab.home, '.local/share/opencode/opencode.db')
    const writer = opencodeDatabase(file, [
      { id: thread, model: { id: 'gpt-5', providerID: 'openai' }, tokens: [300, 30, 20, 200, 7] },
      {
        id: other,
        model: 'no JSON',
        tokens: [1, 2, 3, 4, 5],
        prompt: promptStart,
      },
    ])
    if (writer === undefined) {
      const { ran, ref } = await lab.enrich('opencode')
      expect([ran.code, ran.stdout, ref]).toEqual([2, '', undefined])
      expect(ran.stderr).toMatch(
        /^ZCL_E_RUNNER_ENRICH_FAILED: OpenCode keeps its log in SQLite: use Node 22\.13 [^\n]+\n$/,
      )
      return
    }
    // OpenCode still has the database open.
    const { ran, ref, metrics } = await lab.enrich('opencode')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ref).toMatchObject({ runner: 'opencode', rolloutPath: file, sessionId: thread })
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', model: 'gpt-5', modelProvider: 'openai' },
      ...{ turnCount: 1, totalTokens: 557, inputTokens: 300, outputTokens: 50 },
      ...{ cachedInputTokens: 200, cacheWriteTokens: 7, reasoningOutputTokens: 20 },
      ...{ modelCalls: 1, toolCalls: 2 },
    })
    writer.exec(`DELETE FROM session WHERE id = '${thread}'`)
    const byPrompt = await lab.enrich('opencode')
    expect(byPrompt.ref?.sessionId).toBe(other)
    expect(byPrompt.metrics).toMatchObject({ model: 'claude', modelProvider: 'anthropic' })
    writer.exec("UPDATE part SET data = 'broken'; DROP TABLE message")
    const none = await lab.enrich('opencode')
    expect(none.ran.code).toBe(2)
    expect(none.ran.stderr).toMatch(/^ZCL_E_RUNNER_ENRICH_FAILED: .+ holds no session [^\n]+\n$/)
    const own = await lab.enrich('opencode', '--home', lab.home)
    expect(own.metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', totalTokens: 15, inputTokens: 1, outputTokens: 5 },
      ...{ cachedInputTokens: 4, cacheWriteTokens: 5, reasoningOutputTokens: 3, toolCalls: 0 },
    })
    writer.close()
    writeFileSync(file, 'this is no database')
    const broken = await lab.enrich('opencode')
    expect(broken.ran.code).toBe(2)
    expect(broken.ran.stderr).toMatch(/^ZCL_E_RUNNER_ENRICH_FAILED: cannot read [^\n]+\n$/)
  })

  it('reads a file of opencode export with any version of Node', async () => {
    const file = path.join(lab.home, 'session.json')
    const tokens = { input: 80, output: 5, reasoning: 4, cache: { read: 16, write: 0 } }
    const answer = { role: 'assistant', modelID: 'gpt-5', providerID: 'openai', tokens }
    const messages = [
      { info: { id: 'm1', role: 'user' }, parts: [{ type: 'text', text: 'Count.' }] },
      { info: { id: 'm2', ...answer }, parts: [{ type: 'tool' }] },
      { info: { id: 'm3', ...answer }, parts: [{ type: 'text', text: 'Done.' }] },
    ]
    writeFileSync(file, JSON.stringify({ info: { id: 'ses_1' }, messages }))
    const { ran, ref, metrics } = await lab.enrich('opencode', '--rollout', file)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ref).toMatchObject({ rolloutPath: file, sessionId: 'ses_1' })
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', model: 'gpt-5', modelProvider: 'openai' },
      ...{ turnCount: 1, totalTokens: 210, inputTokens: 160, outputTokens: 18 },
      ...{ cachedInputTokens: 32, cacheWriteTokens: 0, reasoningOutputTokens: 8 },
      ...{ modelCalls: 2, toolCalls: 1 },
    })
  })
})

interface OpencodeSession {
  id: string
  model: unknown
  /** Input, output, reasoning, cache read and cache write. */
  tokens: number[]
  prompt?: string
}

interface Writer {
  exec(sql: string): void
  prepare(sql: string): { run(...values: (string | number)[]): unknown }
  close(): void
}

/** A database as OpenCode writes it, open for writing; undefined when Node has no built-in SQLite. */
function opencodeDatabase(file: string, sessions: OpencodeSession[]): Writer | undefined {
  const sqlite = process.getBuiltinModule('node:sqlite') as
    | { DatabaseSync: new (file: string) => Writer }
    | undefined
  if (sqlite === undefined) return undefined
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new sqlite.DatabaseSync(file)
  const sums = ['input', 'output', 'reasoning', 'cache_read', 'cache_write']
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT, cost REAL, model TEXT,
      ${sums.map((name) => `tokens_${name} INTEGER`).join(', ')});
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT)`)
  for (const { id, model, tokens, prompt = 'something else' } of sessions) {
    const text = typeof model === 'string' ? model : JSON.stringify(model)
    database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(id, 'a title', 0.5, text, ...tokens)
    const messages = [
      { role: 'user' },
      { role: 'assistant', modelID: 'claude', providerID: 'anthropic', finish: 'stop' },
    ]
    const parts = [
      { type: 'text', text: prompt },
      ...[{ type: 'step-start' }, { type: 'tool' }, { type: 'tool' }, { type: 'step-finish' }],
    ]
    for (const [n, data] of messages.entries()) {
      const insert = database.prepare('INSERT INTO message VALUES (?, ?, ?)')
      insert.run(`m${n}-${id}`, id, JSON.stringify(data))
    }
    for (const [n, data] of parts.entries()) {
      const insert = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
      insert.run(`p${n}-${id}`, `m1-${id}`, id, JSON.stringify(data))
    }
  }
  return database
}
