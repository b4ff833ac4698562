// Prompt caching, thinking, and the receipt of an answer.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/fake-anthropic.ts'
import {
  answer,
  event,
  messageEnd,
  messageStart,
  openStream,
  say,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

interface Raw {
  tools: Record<string, unknown>[]
  messages: { role: string; content: Record<string, unknown>[] }[]
  thinking?: unknown
  system?: unknown
}
const raw = (index: number) => JSON.parse(at.server.requests[index]?.raw ?? '{}') as Raw

describe('prompt caching', () => {
  it('marks the last tool and the last two user messages only', async () => {
    for (const prompt of ['one', 'two', 'three']) await at.box.exec(prompt, '--session', 's')
    const { tools, messages } = raw(2)
    expect(tools.map((tool) => 'cache_control' in tool)).toEqual([false, false, false, true])
    const marked = messages.map(({ content }) =>
      Array.isArray(content) ? content.some((block) => 'cache_control' in block) : false,
    )
    expect(marked).toEqual([false, false, true, false, true])
    expect(at.server.requests[2]?.raw.match(/"cache_control"/g)).toHaveLength(3)
  })

  it('repeats the prefix of the first request in the second', async () => {
    at.box.put('AGENTS.md', 'Be brief.')
    at.respond = inTurn(
      answer({ text: ['I look.'] }, { tool: 'bash', input: { command: 'echo hi' } }),
      say('done'),
    )
    await at.box.exec('hi', '--session', 's')
    await at.box.exec('again', '--session', 's')
    const bodies = at.server.requests.map(({ body }) => body)
    for (const [index, later] of bodies.slice(1).entries()) {
      const earlier = bodies[index]
      const { messages, ...rest } = later
      const { messages: before, ...head } = earlier ?? later
      expect(rest).toEqual(head)
      expect(messages.slice(0, before.length)).toEqual(before)
    }
    expect(bodies).toHaveLength(3)
  })

  it('keeps the first request of a fresh session under 1536 bytes', async () => {
    await at.box.exec('hi')
    expect(Buffer.byteLength(at.server.requests[0]?.raw ?? '')).toBeLessThan(1536)
  })
})

describe('the receipt of an answer', () => {
  it('follows the core fields of the session line and includes the cost', async () => {
    const ran = await at.box.exec('hi', '--session', 's')
    const line = at.box.session('s')[2] ?? {}
    expect(Object.keys(line)).toEqual([
      'type',
      'role',
      'text',
      'ts',
      'provider',
      'model',
      'usage',
      'stop',
      'duration_ms',
      'cost_usd',
      'prefix',
    ])
    expect(line).toMatchObject({
      usage: { input_tokens: 12, output_tokens: 7 },
      cost_usd: (12 * 1 + 7 * 5) / 1e6,
    })
    expect(ran.stderr).toMatch(/ctx 12(\/200k \(0 %\))?, [<$0-9.]+, \d+\.\d s\n/)
  })

  it('has no cost for a model without a known price', async () => {
    const ran = await at.box.exec('hi', '--session', 's', '--model', 'claude-unheard-of')
    expect(at.box.session('s')[2]).not.toHaveProperty('cost_usd')
    expect(ran.stderr).not.toContain('$')
  })

  it('uses prices.json of the user before the built-in prices', async () => {
    const prices = { anthropic: { 'claude-haiku-4-5': { input: 1e6, output: 0 } } }
    writeFileSync(path.join(at.box.zdxHome, 'prices.json'), JSON.stringify(prices))
    await at.box.exec('hi', '--session', 's')
    expect(at.box.session('s')[2]).toMatchObject({ cost_usd: 12 })
  })

  it('is on the first call of a round without text', async () => {
    at.respond = inTurn(answer({ tool: 'bash', input: { command: 'true' } }), say('done'))
    await at.box.exec('hi', '--session', 's')
    expect(at.box.session('s')[2]).toMatchObject({ type: 'tool_use', usage: { input_tokens: 12 } })
  })
})

describe('extended thinking', () => {
  const thinks: Answer = (_request, response) => {
    openStream(response)
    const block = { type: 'thinking', thinking: '', signature: '' }
    const delta = (value: Record<string, unknown>) =>
      event({ type: 'content_block_delta', index: 0, delta: value })
    response.end(
      messageStart() +
        event({ type: 'content_block_start', index: 0, content_block: block }) +
        delta({ type: 'thinking_delta', thinking: 'Hm.' }) +
        delta({ type: 'signature_delta', signature: 'c2ln' }) +
        event({ type: 'content_block_stop', index: 0 }) +
        textStart(1) +
        textDelta('Yes.', 1) +
        event({ type: 'content_block_stop', index: 1 }) +
        messageEnd(),
    )
  }

  it('is requested, stored before its answer and sent back verbatim', async () => {
    at.respond = thinks
    const ran = await at.box.exec('hi', '--session', 's', '--thinking', 'low')
    expect(ran).toMatchObject({ code: 0, stdout: 'Yes.\n' })
    expect(raw(0).thinking).toEqual({ type: 'enabled', budget_tokens: 2048 })
    expect(at.box.session('s').slice(2)).toMatchObject([
      { type: 'thinking', text: 'Hm.', signature: 'c2ln', provider: 'anthropic' },
      { type: 'message', role: 'assistant', text: 'Yes.' },
    ])
    expect(Object.keys(at.box.session('s')[2] ?? {})).toEqual([
      'type',
      'text',
      'signature',
      'provider',
      'ts',
    ])
    await at.box.exec('more', '--session', 's', '--thinking', 'low')
    expect(at.server.requests[1]?.body.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'text', text: 'Yes.' },
    ])
  })

  it('is set by the configuration, and the flag overrides it', async () => {
    at.box.config('thinking = "high"\n')
    await at.box.exec('hi')
    expect(raw(0).thinking).toMatchObject({ budget_tokens: 24_576 })
    await at.box.exec('hi', '--thinking', 'off')
    expect(raw(1)).not.toHaveProperty('thinking')
    expect(await at.box.exec('hi', '--thinking', 'lots')).toMatchObject({ code: 2 })
  })
})
