import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createRedactor } from '@zee/core/redact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { enrichAttempt, usageNumbers, type EnrichOptions } from './runners.ts'
import { TokenSum } from './token-sum.ts'

let lab: Lab
let attempt: LabAttempt
let home = ''
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt({ agentId: 'agent-7' })
  home = path.join(lab.root, 'home')
})
afterEach(() => lab.remove())

function put(name: string, ...lines: unknown[]): string {
  const file = path.join(home, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const enrich = (more: Partial<EnrichOptions> = {}) =>
  enrichAttempt(attempt.folder, {
    ...{ runner: 'claude', rollout: undefined, env: { HOME: home }, cwd: home },
    ...{ isHomePrivate: false, redactor: createRedactor() },
    ...more,
  })

const failsWith = (message: string | RegExp, more: Partial<EnrichOptions> = {}) =>
  expect(enrich(more)).rejects.toThrow(
    expect.objectContaining({
      code: 'ZCL_E_RUNNER_ENRICH_FAILED',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    }) as Error,
  )

const answer = {
  type: 'assistant',
  sessionId: 's',
  message: { id: 'm', model: 'x', usage: { input_tokens: 2, output_tokens: 1 } },
}

describe('the log of an attempt', () => {
  it('is found by the id of the agent, and both artifacts are written', async () => {
    const file = put('.claude/projects/p/agent-7.jsonl', answer)
    const { ref, metrics } = await enrich()
    expect(ref).toEqual({
      schemaVersion: 1,
      runner: 'claude',
      ...attempt.ids,
      agentId: 'agent-7',
      rolloutPath: file,
      sessionId: 's',
    })
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'claude', model: 'x', toolCalls: 0, modelCalls: 1 },
      ...{ totalTokens: 3, inputTokens: 2, outputTokens: 1 },
    })
    expect(attempt.json('runner.ref.json')).toEqual(ref)
    expect(attempt.json('runner.metrics.json')).toEqual(metrics)
  })

  it('may be named, relative to the working folder', async () => {
    const file = put('any.name', answer)
    const { ref } = await enrich({ rollout: 'any.name' })
    expect(ref.rolloutPath).toBe(file)
  })

  it('that is not found is reported with the places that were searched', async () => {
    const hint = 'pass the log with --rollout'
    await failsWith(
      `no log of claude for this attempt (looked in ${home}/.claude/projects); ${hint}`,
    )
    await failsWith(`no log of claude for this attempt (HOME is not set); ${hint}`, { env: {} })
    await failsWith('no log of opencode: HOME is not set', { runner: 'opencode', env: {} })
  })

  it('without a line of its runner is refused, and one that is gone is an error of the file', async () => {
    const file = put('empty.jsonl', { type: 'other' })
    await failsWith(`${file} holds no line of claude`, { rollout: file })
    await expect(enrich({ rollout: 'gone.jsonl' })).rejects.toMatchObject({ code: 'ZCL_E_IO' })
    expect(() => attempt.read('runner.ref.json')).toThrow()
  })

  it('is stored without secrets, and never through a link', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    put('.claude/projects/p/agent-7.jsonl', {
      ...answer,
      message: { ...answer.message, model: secret },
    })
    const { metrics } = await enrich()
    expect(metrics.model).not.toContain('a1B2')
    for (const name of ['runner.metrics.json', 'runner.ref.json']) {
      rmSync(attempt.file(name))
      symlinkSync(path.join(home, 'elsewhere'), attempt.file(name))
      await expect(enrich()).rejects.toThrow(name)
      rmSync(attempt.file(name))
      await enrich()
    }
  })

  it('of OpenCode may be an exported session', async () => {
    const tokens = { input: 5, output: 4, reasoning: 3, cache: { read: 2, write: 1 } }
    const info = (id: string, more: object) => ({ info: { id, ...more } })
    const messages = [
      info('u', { role: 'user' }),
      { ...info('a', { role: 'assistant', modelID: 'x', tokens }), parts: [{ type: 'tool' }, {}] },
      info('b', { role: 'assistant', modelID: 'y', providerID: 'p', tokens }),
      info('b', { role: 'assistant', modelID: 'y', providerID: 'p', tokens }),
    ]
    const file = put('session.json', { info: { id: 's' }, messages })
    const { ref, metrics } = await enrich({ runner: 'opencode', rollout: file })
    expect(ref.sessionId).toBe('s')
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'opencode', model: 'y', modelProvider: 'p', turnCount: 1 },
      ...{ totalTokens: 30, inputTokens: 10, outputTokens: 14, cachedInputTokens: 4 },
      ...{ cacheWriteTokens: 2, reasoningOutputTokens: 6, modelCalls: 3, toolCalls: 1 },
    })
  })
})

describe('token counts', () => {
  const all = {
    input: 'i',
    output: 'o',
    cached: 'c',
    written: 'w',
    reasoning: 'r',
    total: 't',
  }

  it('of the same id replace each other, and of no id add up', () => {
    const sum = new TokenSum()
    sum.add('a', { i: 1, o: 1 }, all)
    sum.add('a', { i: 2, o: 2 }, all)
    sum.add(undefined, { i: 10 }, all)
    sum.add(undefined, { i: 20, t: 5 }, all)
    sum.add('#0', { o: 100 }, all)
    sum.add('nothing', { x: 1 }, all)
    expect(sum.numbers()).toEqual({
      totalTokens: 9,
      inputTokens: 32,
      outputTokens: 102,
      modelCalls: 4,
    })
    expect(new TokenSum().numbers()).toEqual({})
  })

  it.each([
    [{}, { i: 10, o: 5, c: 3, w: 2, r: 1, t: 99 }, { total: 20, input: 10, output: 5 }],
    [
      { inputHasCached: true },
      { i: 10, o: 5, c: 3, w: 2, r: 1 },
      { total: 15, input: 5, output: 5 },
    ],
    [{ inputHasCached: true }, { i: 1, o: 5, c: 3 }, { total: 8, input: 0, output: 5 }],
    [{ outputLacksThinking: true }, { i: 10, o: 5, r: 1 }, { total: 16, input: 10, output: 6 }],
    [{ outputLacksThinking: true }, { o: 5, r: 1, t: 99 }, { total: 99, output: 6 }],
    [{}, { i: 10, t: 99 }, { total: 99, input: 10 }],
    [{}, { i: -1, o: 1.5, t: '3' }, {}],
    [{}, { i: 0, o: 0 }, { total: 0, input: 0, output: 0 }],
  ])('with %j of %j are %j', (options, usage, expected: Record<string, number>) => {
    const { totalTokens, inputTokens, outputTokens } = usageNumbers(usage, { ...all, ...options })
    expect({ totalTokens, inputTokens, outputTokens }).toEqual({
      totalTokens: expected.total,
      inputTokens: expected.input,
      outputTokens: expected.output,
    })
    expect(usageNumbers(usage, all)).not.toHaveProperty('modelCalls')
  })
})
