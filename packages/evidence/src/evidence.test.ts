import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attemptEnvironment } from './attempt/attempt.ts'
import { openAttempt, type AttemptOptions, type OpenAttempt } from './evidence.ts'
import { validate } from './validate/validate.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-evidence-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function options(over: Partial<AttemptOptions> = {}): AttemptOptions {
  return { outRoot: 'evidence', suiteId: 'Demo suite', missionId: 'add', cwd: folder, ...over }
}

function add(attempt: OpenAttempt): Promise<number> {
  return attempt.trace({ tool: 'calculator', op: 'add', input: { a: 1, b: 2 } }, () => 1 + 2)
}

function traceOf(attempt: OpenAttempt): Record<string, unknown>[] {
  const text = readFileSync(path.join(attempt.folder, 'tool.calls.jsonl'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('openAttempt', () => {
  it('starts an attempt in an empty folder, whose trace appends one event', async () => {
    const attempt = await openAttempt(options({ agentId: 'me', prompt: 'Add 1 and 2.' }))
    expect(attempt.folder.startsWith(path.join(folder, 'evidence', 'runs'))).toBe(true)
    expect(await add(attempt)).toBe(3)
    expect(traceOf(attempt)).toMatchObject([
      {
        suiteId: 'demo-suite',
        missionId: 'add',
        attemptId: '001-add-r1',
        agentId: 'me',
        tool: 'calculator',
        result: { ok: true },
        io: { outPreview: '3' },
      },
    ])
    expect(validate('x', attempt.folder, { strict: false }).errors).toEqual([])
  })

  it('opens the attempt that the environment names', async () => {
    const first = await openAttempt(options())
    await add(first)
    const env = attemptEnvironment(first.identity, first.folder)
    const second = await openAttempt(options({ env, missionId: 'other' }))
    expect(second.identity).toEqual(first.identity)
    await add(second)
    expect(traceOf(first)).toHaveLength(2)
  })

  it('starts no work after the timeout', async () => {
    const attempt = await openAttempt(options({ timeoutMs: 1 }))
    const slow = attempt.trace(
      { tool: 'demo', op: 'wait', input: null },
      () => new Promise(() => {}),
    )
    await expect(slow).rejects.toMatchObject({ code: 'ZCL_E_TIMEOUT' })
    await expect(add(attempt)).rejects.toMatchObject({ code: 'ZCL_E_TIMEOUT' })
  })

  it('refuses an id without a letter or digit', async () => {
    await expect(openAttempt(options({ suiteId: '!' }))).rejects.toMatchObject({
      code: 'ZCL_E_USAGE',
      message: 'suiteId needs at least one letter or digit (a-z, 0-9)',
    })
  })
})
