import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import type { Message } from '@zee/llm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failure, success, toolResultPart } from '../envelope/envelope.ts'
import { loadHistory, openSession, type SessionWriter } from '../session/session.ts'
import {
  createContextMeter,
  elideOldResults,
  hasElidedResults,
  openResultStore,
  recallTool,
  requestBytes,
} from './elision.ts'

let folder: string
beforeAll(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'zee-elision-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const output = (round: number) =>
  success({ stdout: `round ${round}\n${'x'.repeat(4000)}\n`, stderr: '', exit_code: 0 })

/** A history of rounds with one bash call each; stored if `session` is given. */
function historyOf(rounds: number, session?: SessionWriter): Message[] {
  session?.append({ type: 'message', role: 'user', text: 'go' })
  const history: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]
  for (let round = 1; round <= rounds; round++) {
    const id = `call-${round}`
    const input = { command: `run ${round}` }
    session?.append({ type: 'tool_use', id, name: 'bash', input })
    session?.append({ type: 'tool_result', tool_use_id: id, output: output(round), ok: true })
    const thinking = { type: 'thinking' as const, text: 'hm', provider: 'test', signature: 's' }
    const call = { type: 'tool_call' as const, id, name: 'bash', input }
    history.push({ role: 'assistant', parts: [thinking, call] })
    history.push({ role: 'user', parts: [toolResultPart(id, output(round))] })
  }
  return history
}

const resultsOf = (history: readonly Message[]) =>
  history.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part.content] : [])),
  )

function openStored(id: string) {
  const session = openSession(folder, id, fixedClock('2026-01-02T03:04:05Z'))
  const results = openResultStore({ folder, id, isSaved: true })
  return { session, results }
}

describe('a request that would fill more than 80 % of the context window', () => {
  it('has the oldest results elided until 50 %, and the session says which', async () => {
    const { session, results } = openStored('oldest')
    const history = historyOf(10, session)
    const bytes = requestBytes(history, 0)
    const meter = createContextMeter()
    meter.record({ inputTokens: 900, outputTokens: 0 }, bytes)
    const step = await elideOldResults(history, bytes, { window: 1000, meter, results }, session)
    expect(step?.events).toEqual([4, 6, 8, 10, 12])
    const contents = resultsOf(history)
    expect(contents[0]).toBe(
      '[elided: result of event 4 (bash "run 1", 4 KB). Use recall with event 4.]',
    )
    expect(contents[5]).toContain('round 6')
    expect(meter.estimate(requestBytes(history, 0))).toBeLessThanOrEqual(500)
    expect(history.filter(({ parts }) => parts[0]?.type === 'thinking')).toHaveLength(10)
    session.close()
    const loaded = loadHistory(folder, 'oldest').messages
    expect(resultsOf(loaded)).toEqual(contents)
    expect(hasElidedResults(loaded)).toBe(true)
  })

  it('keeps the results of the last two rounds', async () => {
    const { session, results } = openStored('last')
    const history = historyOf(4, session)
    const bytes = requestBytes(history, 0)
    const budget = { window: 100, meter: createContextMeter(), results }
    expect((await elideOldResults(history, bytes, budget, session))?.events).toEqual([4, 6])
    expect(await elideOldResults(history, bytes, budget, session)).toBeUndefined()
    session.close()
  })

  it('is not reached below 80 %', async () => {
    const { session, results } = openStored('below')
    const history = historyOf(5, session)
    const bytes = requestBytes(history, 0)
    const meter = createContextMeter({ inputTokens: 700, outputTokens: 100 })
    const budget = { window: 1000, meter, results }
    expect(await elideOldResults(history, bytes, budget, session)).toBeUndefined()
    expect(hasElidedResults(history)).toBe(false)
    session.close()
  })

  it('is elided without a session too: the results stay in memory', async () => {
    const results = openResultStore({ folder, id: undefined, isSaved: false })
    const history = historyOf(3)
    for (let round = 1; round <= 3; round++) {
      results.remember(`call-${round}`, 'bash', { command: 'x' }, output(round))
    }
    const budget = { window: 10, meter: createContextMeter(), results }
    const step = await elideOldResults(history, 1e6, budget, undefined)
    expect(step?.events).toEqual([1])
    expect((await results.find(1))?.output).toEqual(output(1))
  })
})

describe('recall', () => {
  const context = { root: '/', timeoutMs: undefined, env: {}, callId: 'c' }
  const recall = async (input: Record<string, number>) => {
    const { session, results } = openStored('recall')
    historyOf(2, session)
    session.close()
    const { signal } = new AbortController()
    return recallTool(results).run(input, { ...context, signal })
  }

  it('returns the stored result by its event', async () => {
    const envelope = await recall({ event: 4 })
    expect(envelope).toMatchObject({ ok: true, data: { event: 4, tool: 'bash', total_lines: 3 } })
    expect(envelope.ok && envelope.data.content).toContain('round 1\n')
  })

  it('takes offset and limit as lines', async () => {
    const data = { content: 'round 1\n', start_line: 2, end_line: 2, total_lines: 3 }
    expect(await recall({ event: 4, offset: 2, limit: 1 })).toMatchObject({ ok: true, data })
    expect(await recall({ event: 4, limit: 0 })).toMatchObject({ error: { code: 'invalid_input' } })
  })

  it.each<[output: Parameters<typeof success>[0], content: string]>([
    [{ stdout: 'a\nb\n', stderr: '', exit_code: 0 }, '{"stderr":"","exit_code":0}\na\nb\n'],
    [{ stdout: 'a\n', stderr: 'b\n' }, '[stdout]\na\n\n[stderr]\nb\n'],
    [{ text: 'a\nb' }, 'a\nb'],
    [{ n: 1 }, '{"n":1}\n'],
  ])('shows the result %j as lines', async (data, content) => {
    const results = openResultStore({ folder, id: undefined, isSaved: false })
    results.remember('c', 'bash', {}, success(data))
    results.remember('d', 'bash', {}, failure('no', 'it failed'))
    const { signal } = new AbortController()
    const run = (event: number) => recallTool(results).run({ event }, { ...context, signal })
    expect(await run(1)).toMatchObject({ data: { event: 1, tool: 'bash', content } })
    expect(await run(2)).toMatchObject({ data: { event: 2, content: 'no: it failed\n' } })
  })

  it('fails for an event that is not a tool result', async () => {
    expect(await recall({ event: 2 })).toMatchObject({ error: { code: 'event_not_found' } })
    expect(await recall({ event: 999 })).toMatchObject({ error: { code: 'event_not_found' } })
  })
})
