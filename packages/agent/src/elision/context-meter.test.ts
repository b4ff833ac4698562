import type { Part } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { createContextMeter, partBytes, requestBytes } from './context-meter.ts'

const usage = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens })

describe('the context meter', () => {
  it('counts a token per four bytes before the first answer', () => {
    const meter = createContextMeter()
    expect([meter.estimate(0), meter.estimate(9), meter.tokens(8)]).toEqual([0, 3, 2])
  })

  it('adds the bytes since the last request at its rate', () => {
    const meter = createContextMeter()
    meter.record(usage(100, 50), 1000)
    expect([meter.estimate(1000), meter.estimate(1200), meter.estimate(900)]).toEqual([
      100, 120, 90,
    ])
    expect(meter.tokens(30)).toBeCloseTo(3, 9)
    meter.record(usage(400), 2000)
    expect(meter.estimate(2010)).toBe(402)
  })

  it('adds at most a token per two bytes', () => {
    const meter = createContextMeter()
    meter.record(usage(900), 1000)
    expect([meter.estimate(1010), meter.estimate(990), meter.estimate(1000)]).toEqual([
      905, 891, 900,
    ])
    expect(meter.tokens(10)).toBe(9)
  })

  it('ignores an answer without counts and a request without bytes', () => {
    const meter = createContextMeter()
    meter.record(usage(0, 5), 1000)
    meter.record(usage(5), 0)
    expect(meter.estimate(8)).toBe(2)
  })

  it('takes the counts of a loaded session for its first request only', () => {
    const loaded = createContextMeter(usage(60, 40))
    expect([loaded.estimate(1000), loaded.estimate(1100)]).toEqual([100, 110])
    const answered = createContextMeter(usage(60, 40))
    answered.record(usage(10), 100)
    expect(answered.estimate(100)).toBe(10)
  })
})

describe('the size of a request', () => {
  it.each<[part: Part, bytes: number]>([
    [{ type: 'text', text: 'four' }, 4],
    [{ type: 'image', mediaType: 'image/png', data: 'AA==' }, 6400],
    [{ type: 'thinking', text: 'hm', provider: 'p' }, 2],
    [{ type: 'thinking', text: 'hm', provider: 'p', signature: 'sig' }, 5],
    [{ type: 'tool_call', id: 'i', name: 'bash', input: { a: 1 } }, 4 + 7],
    [{ type: 'tool_result', id: 'i', content: 'abc', isError: false }, 3],
    [
      {
        type: 'tool_result',
        id: 'i',
        content: 'abc',
        isError: false,
        images: [
          { type: 'image', mediaType: 'image/png', data: 'AA==' },
          { type: 'image', mediaType: 'image/png', data: 'AA==' },
        ],
      },
      3 + 2 * 6400,
    ],
  ])('counts for %j %i bytes', (part, bytes) => {
    expect(partBytes(part)).toBe(bytes)
    expect(requestBytes([{ role: 'user', parts: [part, part] }], 10)).toBe(10 + 2 * bytes)
  })
})
