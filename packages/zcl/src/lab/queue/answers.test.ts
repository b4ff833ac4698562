import { setTimeout as pause } from 'node:timers/promises'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Answers } from './answers.ts'

const never = new Promise<never>(() => {})

describe('a request to the queue', () => {
  it('resolves to its answer and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await new Answers(signal).within(Promise.resolve(5), 10_000)).toBe(5)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('fails with the error of the request', async () => {
    const { signal } = new AbortController()
    const failed = new Answers(signal).within(Promise.reject(new Error('closed')), 10_000)
    await expect(failed).rejects.toThrow('closed')
  })

  it('fails when no answer comes in time', async () => {
    const { signal } = new AbortController()
    await expect(new Answers(signal).within(never, 20)).rejects.toThrow('no answer within 20 ms')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('fails soon after the command was interrupted', async () => {
    const interrupt = new AbortController()
    const request = new Answers(interrupt.signal).within(never, 60_000)
    interrupt.abort()
    await expect(request).rejects.toThrow('no answer before the end')
  })

  it('of an interrupted command still gets a short time', async () => {
    const answers = new Answers(AbortSignal.abort())
    expect(await answers.within(pause(20, 'done'), 60_000)).toBe('done')
    await expect(answers.within(never, 60_000)).rejects.toThrow('no answer before the end')
  })
})
