import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exportEvidence } from '../exports/exports.ts'
import { findTarget } from '../runs/runs.ts'
import type { ExportFormat, ImportFormat } from '../schema/vocabulary.ts'
import { validate } from '../validate/validate.ts'
import {
  artifact,
  folder,
  imported,
  messages,
  redactor,
  removeLogs,
  secret,
  time,
  write,
} from '../../test/imported-log.ts'

afterAll(removeLogs)

const inspectLog = {
  version: 2,
  status: 'success',
  eval: { task: 'pkg/sums', created: time, model: 'openai/gpt' },
  samples: [
    {
      id: 'One & one',
      epoch: 1,
      input: 'What is 1 + 1?',
      messages: [
        { role: 'user', content: 'What is 1 + 1?' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'I add.' },
            { type: 'text', text: `I use ${secret}` },
          ],
          tool_calls: [{ id: 'c1', function: 'add', arguments: { x: 1, y: 1 } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '2' },
        { role: 'assistant', content: '2' },
      ],
      events: [
        { event: 'tool', id: 'c1', timestamp: time, completed: '2026-04-01T10:00:02Z' },
        { event: 'sandbox' },
      ],
      scores: { match: { value: 'C', answer: '2' } },
      model_usage: { 'openai/gpt': { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
      started_at: time,
      completed_at: '2026-04-01T10:00:05Z',
    },
    {
      id: 2,
      epoch: 1,
      input: [{ role: 'user', content: 'hi' }],
      messages: [],
      error: { message: 'no model' },
    },
  ],
}

describe('an imported log of Inspect', () => {
  it('becomes attempts with calls, messages, outcomes and usage, redacted and valid', async () => {
    const run = await imported('inspect', write('inspect.json', inspectLog))
    expect(run).toMatchObject({
      suiteId: 'sums',
      isNew: true,
      attempts: [
        { attemptId: '001-one-one-r1', ok: true, calls: 1, messages: 4 },
        { attemptId: '002-2-r1', ok: false, calls: 0 },
      ],
      unmapped: { 'event sandbox': 1 },
    })
    expect(artifact(run, 'tool.calls.jsonl')).toMatchObject({
      tool: 'inspect',
      op: 'add',
      ts: time,
      input: { x: 1, y: 1 },
      result: { ok: true, durationMs: 2000 },
      io: { outPreview: '2' },
    })
    expect(messages(run)).toEqual([
      'user text: What is 1 + 1?',
      'assistant thinking: I add.',
      'assistant text: I use [REDACTED:GITHUB_TOKEN]',
      'assistant text: 2',
    ])
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({
      model: 'openai/gpt',
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      toolCalls: 1,
    })
    expect(artifact(run, 'feedback.json', 1)).toMatchObject({
      resultJson: { kind: 'infra_failure', code: 'INSPECT_ERROR' },
    })
    const checked = validate(run.runFolder, run.runFolder, { strict: true })
    expect(checked).toMatchObject({ ok: true, errors: [] })
    expect((await imported('inspect', path.join(folder, 'inspect.json'))).isNew).toBe(false)
  })

  it('is complete after an import that a kill interrupted', async () => {
    const file = write('inspect.json', inspectLog)
    const whole = await imported('inspect', file)
    const attempts = path.join(whole.runFolder, 'attempts')
    const names = readdirSync(attempts).sort()
    rmSync(path.join(attempts, String(names.at(-1))), { recursive: true })
    writeFileSync(path.join(whole.runFolder, '.importing'), '')
    const again = await imported('inspect', file)
    expect(again.isNew).toBe(true)
    expect(readdirSync(attempts).sort()).toEqual(names)
    expect((await imported('inspect', file)).isNew).toBe(false)
  })

  it('survives a round trip through each export that can be imported', async () => {
    const first = await imported('inspect', path.join(folder, 'inspect.json'))
    const formats: [ExportFormat, ImportFormat][] = [
      ['inspect', 'inspect'],
      ['atif', 'atif'],
      ['otlp-json', 'otlp'],
    ]
    for (const [format, back] of formats) {
      const again = await imported(back, await exported(first.runFolder, format))
      expect(again.attempts.map(({ missionId, ok, calls }) => [missionId, ok, calls])).toEqual([
        ['one-one', true, 1],
        ['2', false, 0],
      ])
      if (back !== 'otlp') expect(messages(again)).toContain('assistant thinking: I add.')
    }
  })

  it('keeps every count of tokens in a round trip through OTLP', async () => {
    const usage = {
      ...{ input_tokens: 10, output_tokens: 5, total_tokens: 23, reasoning_tokens: 3 },
      ...{ input_tokens_cache_read: 6, input_tokens_cache_write: 2 },
    }
    const [sample] = inspectLog.samples
    const cached = { ...inspectLog, samples: [{ ...sample, model_usage: { 'openai/gpt': usage } }] }
    const first = await imported('inspect', write('cached.json', cached))
    const again = await imported('otlp', await exported(first.runFolder, 'otlp-json'))
    const tokens = {
      ...{ inputTokens: 10, cachedInputTokens: 6, cacheWriteTokens: 2 },
      ...{ outputTokens: 5, reasoningOutputTokens: 3, totalTokens: 23 },
    }
    expect(artifact(first, 'runner.metrics.json')).toMatchObject(tokens)
    expect(artifact(again, 'runner.metrics.json')).toMatchObject(tokens)
  })
})

/** The file with the exported run. */
async function exported(runFolder: string, format: ExportFormat): Promise<string> {
  const target = findTarget(runFolder)
  if (target.kind === 'unknown') throw new Error('no run')
  const options = { format, redactor, gate: 'replace', version: '1' } as const
  const pieces: Buffer[] = []
  for await (const piece of await exportEvidence(target, options)) pieces.push(Buffer.from(piece))
  const file = path.join(folder, `again.${format}`)
  writeFileSync(file, Buffer.concat(pieces))
  return file
}
