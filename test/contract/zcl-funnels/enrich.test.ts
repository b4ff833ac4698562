import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, type Lab } from './lab.ts'

const thread = '019c6060-1111-7222-8333-944455556666'
let lab: Lab
beforeEach(async () => {
  lab = await createLab(['--agent-id', thread, '--prompt', `${'Find the title. '.repeat(30)}End.`])
})
afterEach(() => lab.remove())

type Line = Record<string, unknown>

function put(file: string, lines: (Line | string)[]): string {
  const place = path.join(lab.home, file)
  mkdirSync(path.dirname(place), { recursive: true })
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(place, texts.map((text) => `${text}\n`).join(''))
  return place
}

async function enrich(runner: string, ...flags: string[]) {
  const ran = await lab.zcl(['enrich', '--runner', runner, '--json', ...flags])
  const read = (name: string): Line | undefined =>
    existsSync(lab.file(name))
      ? (JSON.parse(readFileSync(lab.file(name), 'utf8')) as Line)
      : undefined
  return { ran, ref: read('runner.ref.json'), metrics: read('runner.metrics.json') }
}

const at = (type: string, payload: Line, ordinal = 1): Line => ({
  timestamp: '2026-02-15T18:00:00.000Z',
  ordinal,
  type,
  payload,
})
const meta = (id = thread) =>
  at('session_meta', { id, cwd: '/x', originator: 'codex_exec', model_provider: 'openai' })
const turn = (model: string, turn_id?: string) =>
  at('turn_context', { model, cwd: '/x', ...(turn_id === undefined ? {} : { turn_id }) })
const tokens = (total: Line | null, last: Line = { input_tokens: 5 }) =>
  at('event_msg', {
    type: 'token_count',
    info: total && {
      total_token_usage: total,
      last_token_usage: last,
      model_context_window: 272_000,
    },
    rate_limits: {},
  })
const item = (payload: Line) => at('response_item', payload)

const rollout = [
  meta(),
  turn('gpt-5', 't1'),
  at('event_msg', { type: 'task_started' }),
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment>' }] }),
  at('event_msg', { type: 'user_message', message: 'hello' }),
  tokens(null),
  tokens({ input_tokens: 100, output_tokens: 10, total_tokens: 110 }),
  item({ type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' }),
  item({ type: 'function_call_output', call_id: 'c1', output: 'x' }),
  item({ type: 'custom_tool_call', call_id: 'c2' }),
  'this is not JSON',
  { type: 'world_state', payload: {} },
  at('compacted', { message: 'm' }),
  turn('gpt-5', 't1'),
  turn('gpt-5-codex', 't2'),
  tokens({
    input_tokens: 300,
    cached_input_tokens: 200,
    output_tokens: 30,
    reasoning_output_tokens: 20,
    total_tokens: 330,
  }),
  tokens({
    input_tokens: 300,
    cached_input_tokens: 200,
    output_tokens: 30,
    reasoning_output_tokens: 20,
    total_tokens: 330,
  }),
  tokens(null),
  at('event_msg', { type: 'task_complete' }),
  '{"timestamp":"2026-02-15T18:00:09Z","type":"event_msg","payl',
]
const inSessions = (name: string, day = '2026/02/15') =>
  `.codex/sessions/${day}/rollout-${name}.jsonl`

describe('zcl enrich --runner codex', () => {
  it('reads what a rollout really holds', async () => {
    const file = put(inSessions(`2026-02-15T18-00-00-${thread}`), rollout)
    const { ran, ref, metrics } = await enrich('codex')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ref).toEqual({
      schemaVersion: 1,
      runner: 'codex',
      runId: lab.runId,
      suiteId: 's',
      missionId: 'm',
      attemptId: '001-m-r1',
      agentId: thread,
      rolloutPath: file,
      threadId: thread,
    })
    expect(metrics).toEqual({
      schemaVersion: 1,
      runner: 'codex',
      model: 'gpt-5-codex',
      modelProvider: 'openai',
      turnCount: 2,
      totalTokens: 330,
      inputTokens: 300,
      outputTokens: 30,
      cachedInputTokens: 200,
      reasoningOutputTokens: 20,
      modelContextWindow: 272_000,
      toolCalls: 2,
    })
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, runner: 'codex', metrics, ref })
    const text = readFileSync(lab.file('runner.metrics.json'), 'utf8')
    expect(text).toBe(`${JSON.stringify(metrics, undefined, 2)}\n`)
  })

  it('leaves out what it does not know', async () => {
    const file = put('a.jsonl', [meta(), tokens(null), at('event_msg', { type: 'token_count' })])
    const { metrics } = await enrich('codex', '--rollout', file)
    expect(metrics).toEqual({ schemaVersion: 1, runner: 'codex', modelProvider: 'openai' })
    const other = put('b.jsonl', [
      tokens({ input_tokens: 7, output_tokens: 3, cached_input_tokens: -1, total_tokens: 'many' }),
      at('event_msg', { type: 'user_message', message: 'x' }),
      at('event_msg', { type: 'user_message', message: 'y' }),
    ])
    expect((await enrich('codex', '--rollout', other)).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'codex', turnCount: 2, totalTokens: 10, inputTokens: 7 },
      ...{ outputTokens: 3, modelContextWindow: 272_000 },
    })
  })

  it('finds the rollout by name, then by its id, then by the prompt, the newest first', async () => {
    const words = at('event_msg', {
      type: 'user_message',
      message: `> ${'Find the title. '.repeat(30)}`,
    })
    const other = '11111111-2222-7333-8444-555555555555'
    const byPrompt = put(inSessions(`2026-03-01T00-00-00-${other}`, '2026/03/01'), [
      meta(other),
      words,
    ])
    expect((await enrich('codex')).ref?.rolloutPath).toBe(byPrompt)
    const byId = put(inSessions('2026-02-15T10-00-00-renamed'), [meta()])
    expect((await enrich('codex')).ref?.rolloutPath).toBe(byId)
    const byName = put(inSessions(`2026-02-14T10-00-00-${thread}`, '2026/02/14'), [turn('old')])
    expect((await enrich('codex')).ref?.rolloutPath).toBe(byName)
    const newer = put(inSessions(`2026-02-16T10-00-00-${thread}`, '2026/02/16'), [turn('new')])
    expect((await enrich('codex')).metrics?.model).toBe('new')
    expect((await enrich('codex')).ref?.rolloutPath).toBe(newer)
  })

  it('looks where CODEX_HOME says', async () => {
    const file = put(`elsewhere/sessions/2026/02/15/rollout-x-${thread}.jsonl`, [meta()])
    const env = { CODEX_HOME: path.join(lab.home, 'elsewhere') }
    const ran = await lab.zcl(['enrich', '--runner', 'codex', lab.attempt], { env })
    expect(ran.code).toBe(0)
    expect(readFileSync(lab.file('runner.ref.json'), 'utf8')).toContain(file)
  })

  it('writes nothing when there is nothing, or nothing of use', async () => {
    const nothing = put('nothing.jsonl', ['', '{"a":1}', 'x', '[]', '{"type":"unknown"}'])
    for (const [flags, code, typed] of [
      [[], 2, 'ZCL_E_RUNNER_ENRICH_FAILED'],
      [['--rollout', nothing], 2, 'ZCL_E_RUNNER_ENRICH_FAILED'],
      [['--rollout', '/no/such/file'], 1, 'ZCL_E_IO'],
      [['--rollout', lab.home], 1, 'ZCL_E_IO'],
    ] as const) {
      const { ran, ref, metrics } = await enrich('codex', ...flags)
      expect(ran.code).toBe(code)
      expect(ran.stderr.startsWith(`${typed}: `)).toBe(true)
      expect(ran.stdout).toBe('')
      expect([ref, metrics]).toEqual([undefined, undefined])
    }
    expect((await lab.zcl(['enrich', '--runner', 'nobody'])).code).toBe(2)
    expect((await lab.zcl(['enrich'])).code).toBe(2)
    expect((await lab.zcl(['enrich', '--runner', 'codex', lab.home])).code).toBe(2)
  })

  it('changes no score', async () => {
    await lab.zcl(['run', '--', 'true'])
    await lab.zcl(['feedback', '--ok', '--result', 'x'])
    const env = { ZCL_NOW: '2026-01-01T00:00:00Z' }
    const report = async () => {
      const ran = await lab.zcl(['report', '--json', lab.attempt], { env })
      const { tokenEstimates, ...rest } = JSON.parse(ran.stdout) as Line
      return { tokenEstimates, rest }
    }
    const before = await report()
    put(inSessions(`x-${thread}`), rollout)
    await enrich('codex')
    const after = await report()
    expect(after.rest).toEqual(before.rest)
    expect(after.tokenEstimates).toMatchObject({ source: 'runner.metrics', totalTokens: 330 })
    const checked = await lab.zcl(['validate', '--strict', '--json', lab.attempt])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true })
  })
})

const claudeLine = (type: string, message: Line, more: Line = {}): Line => ({
  type,
  message,
  sessionId: thread,
  uuid: Math.random().toString(),
  ...more,
})
const answer = (id: string, usage: Line, content: Line[] = []) =>
  claudeLine('assistant', { id, model: 'claude-opus-5', usage, content }, { requestId: `r${id}` })

describe('zcl enrich for other runners', () => {
  it('claude: one answer counts once, however many lines it took', async () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 12,
      cache_read_input_tokens: 50,
      cache_creation_input_tokens: 7,
    }
    put(`.claude/projects/-x-y/${thread}.jsonl`, [
      { type: 'summary', summary: 's' },
      claudeLine('user', { role: 'user', content: 'Find it' }),
      answer('m1', { ...usage, output_tokens: 1 }, [{ type: 'text', text: 'a' }]),
      answer('m1', usage, [{ type: 'tool_use', id: 't1', name: 'Bash' }]),
      claudeLine('user', { content: [{ type: 'tool_result', tool_use_id: 't1' }] }),
      answer('m2', usage, [
        { type: 'tool_use', id: 't2' },
        { type: 'tool_use', id: 't2' },
      ]),
      claudeLine('assistant', { id: 'm3', model: '<synthetic>', content: [] }),
      { type: 'cost-state', totalCostUSD: 1 },
    ])
    const { ref, metrics } = await enrich('claude')
    expect(ref).toMatchObject({ runner: 'claude', sessionId: thread })
    expect(metrics).toEqual({
      schemaVersion: 1,
      runner: 'claude',
      model: 'claude-opus-5',
      turnCount: 1,
      totalTokens: 224,
      inputTokens: 200,
      outputTokens: 24,
      cachedInputTokens: 100,
      toolCalls: 2,
    })
  })

  it('zdx: answers carry their usage', async () => {
    put(`.config/zdx/sessions/${thread}.jsonl`, [
      { type: 'meta', schema_version: 1 },
      { type: 'message', role: 'user', text: 'go' },
      {
        ...{
          type: 'tool_use',
          id: 'a',
          name: 'bash',
          input: {},
          provider: 'anthropic',
          model: 'm-1',
        },
        usage: { input_tokens: 10, output_tokens: 2, cached_input_tokens: 4, thinking_tokens: 1 },
      },
      { type: 'tool_use', id: 'b', name: 'read', input: {} },
      { type: 'tool_result', tool_use_id: 'a', output: {}, ok: true },
      {
        ...{ type: 'message', role: 'assistant', text: 'ok', provider: 'anthropic', model: 'm-2' },
        usage: { input_tokens: 20, output_tokens: 3 },
      },
    ])
    expect((await enrich('zdx')).metrics).toEqual({
      ...{
        schemaVersion: 1,
        runner: 'zdx',
        model: 'm-2',
        modelProvider: 'anthropic',
        turnCount: 1,
      },
      ...{ totalTokens: 35, inputTokens: 30, outputTokens: 5, cachedInputTokens: 4 },
      ...{ reasoningOutputTokens: 1, toolCalls: 2 },
    })
  })

  it('gemini: a message that is written again replaces the former', async () => {
    const said = (output: number, toolCalls: Line[]) => ({
      ...{ id: 'g1', type: 'gemini', model: 'gemini-3-pro', toolCalls },
      tokens: { input: 40, output, cached: 8, thoughts: 2, tool: 0, total: 42 + output },
    })
    put(`.gemini/tmp/project/chats/session-2026-02-15T18-00-${thread.slice(0, 8)}.jsonl`, [
      { sessionId: thread, projectHash: 'h', startTime: 't', kind: 'main' },
      { id: 'u1', type: 'user', content: 'hello' },
      said(1, []),
      said(5, [{ id: 'c' }]),
      { $set: { lastUpdated: 'x' } },
      { $rewindTo: 'u1' },
    ])
    expect((await enrich('gemini')).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'gemini', model: 'gemini-3-pro', turnCount: 1 },
      ...{ totalTokens: 47, inputTokens: 40, outputTokens: 5, cachedInputTokens: 8 },
      ...{ reasoningOutputTokens: 2, toolCalls: 1 },
    })
  })

  it('qwen', async () => {
    put(`.qwen/projects/x/chats/${thread}.jsonl`, [
      { uuid: '1', type: 'user', sessionId: thread, message: { parts: [{ text: 'hi' }] } },
      {
        ...{ uuid: '2', type: 'assistant', model: 'qwen3-coder', sessionId: thread },
        message: { parts: [{ functionCall: {} }, { text: 'x' }] },
        usageMetadata: {
          ...{ promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 1 },
          ...{ totalTokenCount: 14, cachedContentTokenCount: 3 },
        },
      },
    ])
    expect((await enrich('qwen')).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'qwen', model: 'qwen3-coder', turnCount: 1, totalTokens: 14 },
      ...{ inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, reasoningOutputTokens: 1 },
      toolCalls: 1,
    })
  })

  it('copilot: the folder has the name of the session', async () => {
    const usage = { model: 'gpt-5', inputTokens: 10, outputTokens: 2, cacheReadTokens: 1 }
    put(`.copilot/session-state/${thread}/events.jsonl`, [
      { type: 'session.start', data: { sessionId: thread } },
      { type: 'user.message', data: { content: 'hi' } },
      { type: 'assistant.turn_start', data: {} },
      { type: 'tool.execution_start', data: {} },
      { type: 'session.usage_record', data: { usage } },
      { type: 'session.usage_record', data: { usage } },
    ])
    const { ref, metrics } = await enrich('copilot')
    expect(ref?.sessionId).toBe(thread)
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'copilot', model: 'gpt-5', turnCount: 1, totalTokens: 24 },
      ...{ inputTokens: 20, outputTokens: 4, cachedInputTokens: 2, toolCalls: 1 },
    })
  })

  it('pi: only the branch that was gone on with', async () => {
    const entry = (id: string, parentId: string | null, message: Line): Line => ({
      ...{ type: 'message', id, parentId, message },
    })
    const said = (input: number, tool = false): Line => ({
      ...{ role: 'assistant', provider: 'anthropic', model: 'claude', stopReason: 'stop' },
      content: tool ? [{ type: 'toolCall' }] : [],
      usage: { input, output: 1, cacheRead: 2, cacheWrite: 0, totalTokens: input + 3 },
    })
    put(`.pi/agent/sessions/--x--/2026-02-15_${thread}.jsonl`, [
      { type: 'session', version: 3, id: thread, cwd: '/x' },
      entry('a', null, { role: 'user', content: 'hi' }),
      entry('b', 'a', said(1000)),
      entry('c', 'a', said(10, true)),
      { type: 'model_change', id: 'd', parentId: 'c' },
      entry('e', 'd', said(20)),
    ])
    expect((await enrich('pi')).metrics).toEqual({
      ...{
        schemaVersion: 1,
        runner: 'pi',
        model: 'claude',
        modelProvider: 'anthropic',
        turnCount: 1,
      },
      ...{ totalTokens: 36, inputTokens: 30, outputTokens: 2, cachedInputTokens: 4, toolCalls: 1 },
    })
  })

  it('opencode: reads its database, or says what that would need', async () => {
    const other = '11111111-2222-7333-8444-555555555555'
    const file = path.join(lab.home, '.local/share/opencode/opencode.db')
    const writer = opencodeDatabase(file, [
      { id: thread, model: { id: 'gpt-5', providerID: 'openai' }, tokens: [300, 30, 20, 200, 7] },
      {
        id: other,
        model: 'no JSON',
        tokens: [1, 2, 3, 4, 5],
        prompt: 'Find the title. '.repeat(30),
      },
    ])
    if (writer === undefined) {
      const { ran, ref } = await enrich('opencode')
      expect([ran.code, ran.stdout, ref]).toEqual([2, '', undefined])
      expect(ran.stderr).toMatch(
        /^ZCL_E_RUNNER_ENRICH_FAILED: OpenCode keeps its log in SQLite: use Node 22\.13 [^\n]+\n$/,
      )
      return
    }
    // It is read while OpenCode still has it open.
    const { ran, ref, metrics } = await enrich('opencode')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ref).toMatchObject({ runner: 'opencode', rolloutPath: file, sessionId: thread })
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', model: 'gpt-5', modelProvider: 'openai' },
      ...{ turnCount: 1, totalTokens: 330, inputTokens: 300, outputTokens: 30 },
      ...{ cachedInputTokens: 200, reasoningOutputTokens: 20, toolCalls: 2 },
    })
    writer.exec(`DELETE FROM session WHERE id = '${thread}'`)
    const byPrompt = await enrich('opencode')
    expect(byPrompt.ref?.sessionId).toBe(other)
    expect(byPrompt.metrics).toMatchObject({ model: 'claude', modelProvider: 'anthropic' })
    writer.exec("UPDATE part SET data = 'broken'; DROP TABLE message")
    const none = await enrich('opencode')
    expect(none.ran.code).toBe(2)
    expect(none.ran.stderr).toMatch(/^ZCL_E_RUNNER_ENRICH_FAILED: .+ holds no session [^\n]+\n$/)
    const own = await enrich('opencode', '--home', lab.home)
    expect(own.metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', totalTokens: 3, inputTokens: 1, outputTokens: 2 },
      ...{ cachedInputTokens: 4, reasoningOutputTokens: 3, toolCalls: 0 },
    })
    writer.close()
    writeFileSync(file, 'this is no database')
    const broken = await enrich('opencode')
    expect(broken.ran.code).toBe(2)
    expect(broken.ran.stderr).toMatch(/^ZCL_E_RUNNER_ENRICH_FAILED: cannot read [^\n]+\n$/)
  })

  it('takes the newest log of a home that is the attempt’s own', async () => {
    put('own/.claude/projects/p/one.jsonl', [answer('m', { input_tokens: 1, output_tokens: 1 })])
    expect((await enrich('claude')).ran.code).toBe(2)
    const { metrics } = await enrich('claude', '--home', path.join(lab.home, 'own'))
    expect(metrics?.totalTokens).toBe(2)
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

/** As OpenCode leaves it behind, open for writing; undefined where Node has no SQLite of its own. */
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
