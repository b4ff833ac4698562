import type { AgentEvent } from '@zee/agent'
import { fixedClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { ModelError } from '@zee/llm'
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { repository } from '../../../../test/support/paths.ts'
import { printClaimsAsJson } from '../verify/verify.ts'
import { openJsonRenderer } from './json-renderer.ts'

const schema = JSON.parse(
  readFileSync(path.join(repository, 'docs/zdx-events.schema.json'), 'utf8'),
) as { oneOf: { properties: { type: { const: string } } }[] }
const line = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])

const events: AgentEvent[] = [
  { type: 'thinking_delta', text: 'hm' },
  { type: 'assistant_delta', text: 'a\nb' },
  { type: 'usage', usage: { inputTokens: 5, outputTokens: 1 }, durationMs: 12 },
  {
    type: 'usage',
    usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 4, thinkingTokens: 1 },
    durationMs: 12,
    costUsd: 0.001,
  },
  { type: 'tool_requested', id: 't', name: 'read', input: { path: 'x' } },
  { type: 'tool_started', id: 't', name: 'read' },
  { type: 'tool_finished', id: 't', result: { ok: true, data: { path: '/x' } } },
  { type: 'tool_finished', id: 't', result: { ok: false, error: { code: 'c', message: 'm' } } },
  { type: 'steered', text: 'use tabs' },
  { type: 'notice', text: 'careful' },
  { type: 'assistant_final', text: 'a\nb' },
  { type: 'error', kind: 'parse', message: 'm', details: 'd' },
  { type: 'error', kind: 'internal', message: 'm' },
  { type: 'interrupted' },
  { type: 'turn_end', reason: 'interrupted' },
]

async function render(): Promise<Record<string, unknown>[]> {
  const stdout = new PassThrough()
  const host = { stdout, clock: fixedClock('2026-01-02T03:04:05Z') } as unknown as Host
  const renderer = openJsonRenderer(host)
  const info = { session: undefined, provider: 'p', model: 'm', root: '/r' }
  await renderer.open(info)
  renderer.retry({ attempt: 1, attempts: 3, delayMs: 1.5, error: new ModelError('timeout', 'x') })
  async function* turn() {
    yield* events
  }
  await renderer.turn(turn(), () => {}, info)
  const claim = { text: 't', verdict: 'stale', event: 3, reason: 'r' } as const
  await printClaimsAsJson(host.stdout, [claim, { ...claim, event: null }], { type: 'claim' })
  await renderer.close('interrupted', 130)
  const lines = String(stdout.read()).trimEnd().split('\n')
  return lines.map((text) => JSON.parse(text) as Record<string, unknown>)
}

describe('the JSON renderer', () => {
  it('writes lines that match docs/zdx-events.schema.json for every event type', async () => {
    const lines = await render()
    for (const each of lines) {
      expect(line.safeParse(each).success, JSON.stringify(each)).toBe(true)
    }
    const types = schema.oneOf.map(({ properties }) => properties.type.const)
    expect([...new Set(lines.map(({ type }) => type))].sort()).toEqual(types.sort())
  })

  it('starts with the schema version and ends with the exit code', async () => {
    const lines = await render()
    expect(lines[0]).toEqual({
      type: 'meta',
      schema_version: 1,
      ts: '2026-01-02T03:04:05Z',
      session: null,
      provider: 'p',
      model: 'm',
      root: '/r',
    })
    expect(lines.at(-1)).toEqual({ type: 'end', reason: 'interrupted', exit_code: 130 })
  })

  it('is checked by a schema that rejects other shapes', () => {
    expect(line.safeParse({ type: 'assistant_delta' }).success).toBe(false)
    expect(line.safeParse({ type: 'end', reason: 'done', exit_code: -1 }).success).toBe(false)
  })
})
