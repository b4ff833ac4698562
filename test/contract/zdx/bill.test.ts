// `zdx sessions bill`: tokens, cost, sources of the input and cache misses.
import { describe, expect, it } from 'vitest'
import type { Answer, Block } from '../../support/fake-anthropic.ts'
import { openStream, streamOf } from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

/** An answer with this usage, in the terms of the Anthropic API. */
const billed =
  (usage: Record<string, number>, ...blocks: Block[]): Answer =>
  (request, response) => {
    openStream(response)
    const lines = streamOf(blocks, request).join('')
    const fields = JSON.stringify({ output_tokens: 1, ...usage })
    response.end(lines.replace('{"input_tokens":12,"output_tokens":1}', fields))
  }
const text = (word: string): Block => ({ text: [word] })
const bill = async (...args: string[]) =>
  (await at.box.zdx(['sessions', 'bill', ...args, '--format', 'json'])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('zdx sessions bill', () => {
  it('sums tokens and cost per turn and in total, and attributes the input', async () => {
    at.box.put('big.txt', 'x'.repeat(20_000))
    at.respond = inTurn(
      billed({ input_tokens: 400 }, { tool: 'read', input: { path: 'big.txt' } }),
      billed({ input_tokens: 100, cache_read_input_tokens: 5900 }, text('read it')),
      billed({ input_tokens: 10, cache_read_input_tokens: 6000 }, text('again')),
    )
    await at.box.exec('look', '--session', 'one')
    await at.box.exec('more', '--session', 'one')
    const [first, second, total] = await bill('one')
    expect(first).toMatchObject({
      type: 'turn',
      turn: 1,
      event: 2,
      prompt: 'look',
      requests: 2,
      input_tokens: 6400,
      fresh_input_tokens: 500,
      cached_input_tokens: 5900,
      output_tokens: 14,
      cache_misses: [],
    })
    expect(second).toMatchObject({ turn: 2, requests: 1, input_tokens: 6010 })
    expect(total).toMatchObject({ type: 'total', id: 'one', turns: 2, requests: 3 })
    const cost = (each: Record<string, unknown> | undefined) => Number(each?.cost_usd)
    expect(cost(total)).toBeCloseTo(cost(first) + cost(second), 8)
    const sources = total?.sources as { source: string; tokens: number }[]
    expect(sources[0]?.source).toBe('read big.txt')
    expect(sources[0]?.tokens).toBeGreaterThan(8000)
    expect(sources.map(({ source }) => source)).toContain('tool definitions')
    expect(sources.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total?.input_tokens)
  })

  it('names the first segment that changed where the cache read was too small', async () => {
    at.box.put('AGENTS.md', 'first guidance')
    at.respond = inTurn(
      billed({ input_tokens: 5000 }, text('one')),
      billed({ input_tokens: 100, cache_read_input_tokens: 5000 }, text('two')),
      billed({ input_tokens: 5200, cache_read_input_tokens: 0 }, text('three')),
    )
    await at.box.exec('a', '--session', 'one')
    await at.box.exec('b', '--session', 'one')
    at.box.put('AGENTS.md', 'second guidance')
    await at.box.exec('c', '--session', 'one')
    const [one, two, three] = await bill()
    expect([one?.cache_misses, two?.cache_misses]).toEqual([[], []])
    expect(three?.cache_misses).toMatchObject([
      { cached_input_tokens: 0, cacheable_tokens: 5100, first_changed: 'AGENTS.md' },
    ])
    const { stdout } = await at.box.zdx(['sessions', 'bill'])
    expect(stdout).toContain('read 0 of 5100 tokens; first changed segment: AGENTS.md\n')
    expect(stdout).toContain('total\n  tokens: 10300 fresh, 5000 cached, 0 cache-written')
  })

  it('works for a session without stored segments and for one without requests', async () => {
    at.box.writeSession('old', [
      { type: 'message', role: 'user', text: 'hi', ts: '' },
      {
        type: 'message',
        role: 'assistant',
        text: 'ok',
        ts: '',
        provider: 'p',
        model: 'm',
        usage: { input_tokens: 7, output_tokens: 2 },
      },
      { type: 'message', role: 'user', text: 'lost', ts: '' },
    ])
    expect(await bill('old')).toMatchObject([
      { requests: 1, cost_usd: null, sources: [{ source: 'history', tokens: 7 }] },
      { requests: 0 },
      { requests: 1, input_tokens: 7 },
    ])
    expect((await at.box.zdx(['sessions', 'bill', 'old'])).stdout).toContain('cost: unknown')
    expect((await at.box.zdx(['sessions', 'bill', 'none'])).code).toBe(1)
  })
})
