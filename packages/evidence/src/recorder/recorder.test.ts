import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCurrentAttempt, type OpenAttempt } from './recorder.ts'

let folder: string
const ids = {
  runId: '20260215-180012Z-09c5a6',
  suiteId: 's',
  missionId: 'm',
  attemptId: '001-m-r1',
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-open-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    ZCL_RUN_ID: ids.runId,
    ZCL_SUITE_ID: ids.suiteId,
    ZCL_MISSION_ID: ids.missionId,
    ZCL_ATTEMPT_ID: ids.attemptId,
    ZCL_OUT_DIR: folder,
    ...more,
  }
}

function opened(attempt: Record<string, unknown> = {}): OpenAttempt {
  const file = {
    schemaVersion: 1,
    ...ids,
    mode: 'discovery',
    startedAt: '2026-02-15T18:00:12.000Z',
  }
  writeFileSync(path.join(folder, 'attempt.json'), JSON.stringify({ ...file, ...attempt }))
  const env = environment({ DEMO_TOKEN: 'correct-horse-battery' })
  return openCurrentAttempt(env, { cwd: folder }) as OpenAttempt
}

function trace(): Record<string, unknown>[] {
  const text = readFileSync(path.join(folder, 'tool.calls.jsonl'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('openCurrentAttempt', () => {
  it('returns undefined without an attempt, and throws for an invalid one', () => {
    expect(openCurrentAttempt({}, { cwd: folder })).toBeUndefined()
    expect(() => openCurrentAttempt(environment(), { cwd: folder })).toThrow(/attempt\.json/)
  })

  it('traces work: returns its result and appends one event', async () => {
    const result = await opened().trace(
      { tool: 'demo', op: 'add', input: { b: 2, a: 1, key: 'correct-horse-battery' } },
      () => ({ sum: 3 }),
    )
    expect(result).toEqual({ sum: 3 })
    expect(trace()).toMatchObject([
      {
        v: 1,
        ...ids,
        tool: 'demo',
        op: 'add',
        input: { a: 1, b: 2, key: '[REDACTED:ENV_SECRET]' },
        result: { ok: true },
        io: { outBytes: 9, outPreview: '{"sum":3}', errBytes: 0 },
        redactionsApplied: ['env_secret'],
      },
    ])
  })

  it('traces failed work: appends its error and rethrows it', async () => {
    const attempt = opened()
    const failure = Object.assign(new Error('no such thing'), { code: 'ENOENT' })
    const failing = attempt.trace({ tool: 'demo', op: 'read', input: {} }, () => {
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    await expect(
      attempt.trace({ tool: 'demo', op: 'read', input: {} }, () => Promise.reject(new Error('x'))),
    ).rejects.toThrow('x')
    expect(trace().map(({ result }) => (result as { code: string }).code)).toEqual([
      'ENOENT',
      'ZCL_E_TOOL_FAILED',
    ])
    expect(trace()[0]?.io).toMatchObject({ errPreview: 'no such file or folder' })
  })

  it('stores the preview of the caller, within its cap', async () => {
    const attempt = opened()
    await attempt.trace(
      { tool: 'demo', op: 'a', input: 1, preview: () => undefined },
      () => 'secret',
    )
    await attempt.trace({ tool: 'demo', op: 'b', input: null }, () => 'x'.repeat(100_000))
    const [first, second] = trace()
    expect(first?.io).toMatchObject({ outBytes: 0 })
    expect(second?.io).toMatchObject({ outBytes: 100_000, outPreview: 'x'.repeat(16_384) })
  })

  it('appends one event for each concurrent call', async () => {
    const attempt = opened()
    const work = Array.from({ length: 20 }, (_, n) =>
      attempt.trace({ tool: 'demo', op: 'n', input: { n } }, async () => n),
    )
    expect(await Promise.all(work)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(trace()).toHaveLength(20)
  })

  it('aborts work at the deadline and starts none after it', async () => {
    const attempt = opened({ timeoutMs: 100, timeoutStart: 'first_tool_call' })
    let wasAborted = false
    const slow = attempt.trace({ tool: 'demo', op: 'slow', input: {} }, (signal) => {
      signal.addEventListener('abort', () => {
        wasAborted = true
      })
      return new Promise(() => {})
    })
    await expect(slow).rejects.toMatchObject({ code: 'ZCL_E_TIMEOUT' })
    expect(wasAborted).toBe(true)
    const late = openCurrentAttempt(environment(), { cwd: folder })?.trace(
      { tool: 'demo', op: 'late', input: {} },
      () => expect.unreachable(),
    )
    await expect(late).rejects.toMatchObject({ code: 'ZCL_E_TIMEOUT' })
    expect(trace().map(({ op }) => op)).toEqual(['slow', 'late'])
  })
})
