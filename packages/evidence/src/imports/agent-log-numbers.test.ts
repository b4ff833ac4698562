import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, removeLogs, sourceOf, write } from '../../test/imported-log.ts'
import { readAgentLog } from './agent-log.ts'
import { ImportSource } from './source.ts'

afterAll(removeLogs)

const at = (seconds: number) => `2026-04-01T10:00:${String(seconds).padStart(2, '0')}.000Z`
const lines = (log: readonly object[]) => log.map((line) => JSON.stringify(line)).join('\n')

const user = (seconds: number, content: unknown) => ({
  type: 'user',
  sessionId: 's1',
  timestamp: at(seconds),
  message: { content },
})
const answer = (seconds: number, id: string, content: unknown[], usage?: object) => ({
  type: 'assistant',
  timestamp: at(seconds),
  message: { id, model: 'claude-x', content, ...(usage === undefined ? {} : { usage }) },
})
const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } })
const result = (id: string, content: string, is_error = false) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  is_error,
})

describe('readAgentLog', () => {
  it('reads the turns, calls, times and tokens of a session', async () => {
    const log = [
      user(5, 'List.'),
      answer(6, 'm1', [{ type: 'thinking', thinking: 'hm' }, use('c1'), use('c2'), use('c3')], {
        input_tokens: 5,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      }),
      user(8, [result('c1', 'a.txt')]),
      user(9, [result('c2', 'Exit code 2', true)]),
      user(4, [result('c3', 'early')]),
      user(9, [result('c9', 'unknown')]),
      answer(10, 'm2', [{ type: 'text', text: 'Done.' }], { input_tokens: 1, output_tokens: 1 }),
      user(11, [{ type: 'text', text: '[Request interrupted by user]' }]),
      user(12, 'Again.'),
      { type: 'unheard-of', timestamp: at(1) },
      answer(13, 'm1', [use('c1')], {
        input_tokens: 6,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      }),
    ]
    const source = sourceOf('claude-numbers/s1.jsonl', `${lines(log)}\nnot json\n`)
    expect(await readAgentLog('claude', source)).toEqual({
      attempts: [
        {
          agent: 'claude',
          calls: [
            {
              durationMs: 2000,
              exitCode: undefined,
              input: { command: 'c1' },
              isError: false,
              op: 'Bash',
              output: 'a.txt',
              tool: 'claude',
              ts: '2026-04-01T10:00:06.000Z',
            },
            {
              durationMs: 3000,
              exitCode: 2,
              input: { command: 'c2' },
              isError: true,
              op: 'Bash',
              output: 'Exit code 2',
              tool: 'claude',
              ts: '2026-04-01T10:00:06.000Z',
            },
            {
              exitCode: undefined,
              input: { command: 'c3' },
              isError: false,
              op: 'Bash',
              output: 'early',
              tool: 'claude',
              ts: '2026-04-01T10:00:06.000Z',
            },
          ],
          endedAt: '2026-04-01T10:00:13.000Z',
          messages: [
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'List.',
              ts: '2026-04-01T10:00:05.000Z',
            },
            {
              afterCalls: 0,
              kind: 'thinking',
              role: 'assistant',
              text: 'hm',
              ts: '2026-04-01T10:00:06.000Z',
            },
            {
              afterCalls: 3,
              kind: 'text',
              role: 'assistant',
              text: 'Done.',
              ts: '2026-04-01T10:00:10.000Z',
            },
            {
              afterCalls: 3,
              kind: 'text',
              role: 'user',
              text: 'Again.',
              ts: '2026-04-01T10:00:12.000Z',
            },
          ],
          mission: 's1',
          numbers: {
            cacheWriteTokens: 4,
            cachedInputTokens: 3,
            inputTokens: 7,
            model: 'claude-x',
            modelCalls: 2,
            modelProvider: 'anthropic',
            outputTokens: 3,
            reasoningOutputTokens: 0,
            toolCalls: 3,
            totalTokens: 17,
            turnCount: 2,
          },
          prompt: 'List.',
          retry: 1,
          sourceId: 's1',
          startedAt: '2026-04-01T10:00:04.000Z',
          unmapped: {
            interruption: 1,
            'record unheard-of': 1,
            'result without a call': 1,
            'unread record': 1,
          },
        },
      ],
      createdAt: '2026-04-01T10:00:04.000Z',
      suite: 'claude',
      unmapped: {},
    })
  })

  it('joins the two streams of a call', async () => {
    const toolUseResult = { stdout: 'out\n', stderr: 'err' }
    const log = [answer(6, 'm1', [use('c1')]), { ...user(8, [result('c1', 'x')]), toolUseResult }]
    const { attempts } = await readAgentLog('claude', sourceOf('claude-two/s1.jsonl', lines(log)))
    expect(attempts[0]?.calls).toMatchObject([{ output: 'out\nerr' }])
  })

  it('reads a session without tokens', async () => {
    const source = sourceOf('claude-bare/s1.jsonl', lines([user(5, 'List.'), user(6, 'More.')]))
    const { attempts, createdAt } = await readAgentLog('claude', source)
    expect([createdAt, attempts[0]?.numbers]).toEqual([at(5), { turnCount: 2, toolCalls: 0 }])
  })

  it('counts a log without messages beside others', async () => {
    write('claude-odd/a.jsonl', lines([user(5, 'List.')]))
    write('claude-odd/b.jsonl', 'no log')
    const run = await readAgentLog('claude', new ImportSource(path.join(folder, 'claude-odd'), {}))
    expect([run.attempts.length, run.unmapped]).toEqual([1, { 'log without messages': 1 }])
  })

  it('refuses a folder without a session, with the reason', async () => {
    const file = write('claude-empty/s1.jsonl', lines([{ type: 'summary' }]))
    const refusal = async (name: string) => {
      const source = new ImportSource(name, {})
      const error: unknown = await readAgentLog('claude', source).catch((each: unknown) => each)
      const { code, message } = error as { code: string; message: string }
      return [code, message.replaceAll(folder, '')]
    }
    expect(await refusal(file)).toEqual([
      'ZCL_E_USAGE',
      '/claude-empty/s1.jsonl holds no session of claude',
    ])
    expect(await refusal(path.join(folder, 'nowhere'))).toEqual([
      'no_logs',
      'no logs of claude found (looked in /nowhere)',
    ])
  })
})
