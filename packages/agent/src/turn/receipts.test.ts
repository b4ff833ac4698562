import { describe, expect, it } from 'vitest'
import type { Turn } from './options.ts'
import { abandonedReceipt, answerReceipt, usageEvents } from './receipts.ts'

const turn = {
  model: { provider: 'p', check: () => {}, close: () => {}, stream: async function* () {} },
  request: { model: 'm', maxTokens: 1 },
  cost: async ({ outputTokens }) => outputTokens / 100,
} satisfies Pick<Turn, 'model' | 'request' | 'cost'>

const attempt = { usage: undefined, sentBytes: 4000, receivedBytes: 400, durationMs: 5 }
const reported = (outputTokens: number) => ({
  ...attempt,
  usage: { inputTokens: 7, outputTokens },
})

describe('the receipt of an answer', () => {
  it('has the counts that the provider reported', async () => {
    expect(await answerReceipt(turn, reported(1), 'end')).toEqual({
      provider: 'p',
      model: 'm',
      usage: { inputTokens: 7, outputTokens: 1 },
      stop: 'end',
      durationMs: 5,
      costUsd: 0.01,
    })
  })

  it('has an estimate without reported counts', async () => {
    const receipt = await answerReceipt({ ...turn, cost: undefined }, attempt, 'end')
    expect(receipt).toMatchObject({ isUsageEstimated: true, costUsd: undefined })
    expect(receipt.usage).toEqual({ inputTokens: 1000, outputTokens: 100 })
  })

  it.each([
    ['interrupted', 36, 36, undefined],
    ['interrupted', 35, 100, true],
    ['error', 36, 36, undefined],
    ['error', 35, 100, true],
    ['end', 0, 0, undefined],
    ['max_tokens', 0, 0, undefined],
  ] as const)(
    'that ended with %s and %i reported tokens of about 100 has %i',
    async (stop, count, outputTokens, isUsageEstimated) => {
      const receipt = await answerReceipt(turn, reported(count), stop)
      expect(receipt.usage).toEqual({ inputTokens: 7, outputTokens })
      expect(receipt.isUsageEstimated).toBe(isUsageEstimated)
    },
  )

  it('of an abandoned request says whether the user interrupted it', async () => {
    const stopOf = async (signal: AbortSignal) =>
      (await abandonedReceipt({ ...turn, signal } as unknown as Turn, attempt)).stop
    expect(await stopOf(AbortSignal.abort())).toBe('interrupted')
    expect(await stopOf(new AbortController().signal)).toBe('error')
  })
})

describe('the usage event of a receipt', () => {
  const receipt = { provider: 'p', model: 'm', usage: { inputTokens: 1, outputTokens: 2 } }

  it('has counts, duration and cost', () => {
    const { usage } = receipt
    expect(usageEvents({ ...receipt, durationMs: 3, costUsd: 0.5 })).toEqual([
      { type: 'usage', usage, durationMs: 3, costUsd: 0.5 },
    ])
    expect(usageEvents(receipt)).toEqual([{ type: 'usage', usage, durationMs: 0 }])
  })

  it('is left out for estimated and absent counts', () => {
    expect(usageEvents({ ...receipt, isUsageEstimated: true })).toEqual([])
    expect(usageEvents({ provider: 'p', model: 'm' })).toEqual([])
  })
})
