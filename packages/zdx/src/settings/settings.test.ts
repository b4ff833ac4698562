import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Globals } from '../cli/cli.ts'
import { inspectSettings, loadSettings } from './settings.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zee-settings-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const hostWith = (env: Record<string, string>) =>
  ({
    env: { ZDX_HOME: base, ...env },
    cwd: '/',
    clock: fixedClock('2026-01-01T00:00:00Z'),
  }) as unknown as Host
const none = { root: '.', continue: false, noSave: false, format: 'text' } as unknown as Globals
const cases: [string, Record<string, string>, Partial<Globals>][] = [
  ['nothing', {}, {}],
  ['base URLs', { ANTHROPIC_BASE_URL: ' http://x ', GEMINI_BASE_URL: '' }, {}],
  [
    'every flag',
    {},
    { provider: 'p', model: 'm', maxTokens: 5, systemPrompt: 'x', thinking: 'low' },
  ],
]

describe('settings without config.toml', () => {
  it.each(cases)(
    'equal the settings loaded through the schema, with %s',
    async (_name, env, flags) => {
      const host = hostWith(env)
      const globals = { ...none, ...flags } as Globals
      const quick = await loadSettings(host, globals)
      const checked = await inspectSettings(host, globals)
      expect(quick.values).toEqual(checked.values)
      expect(quick.isModelSet).toBe(checked.origin('model').kind !== 'default')
    },
  )

  it('reject a number that the schema would reject', async () => {
    const globals = { ...none, maxTokens: 2 ** 32 } as Globals
    await expect(loadSettings(hostWith({}), globals)).rejects.toMatchObject({ exitCode: 2 })
  })

  it('are not used when config.toml exists but cannot be read', async () => {
    mkdirSync(path.join(base, 'config.toml'))
    await expect(loadSettings(hostWith({}), none)).rejects.toThrow('Failed to read config from')
  })

  it('report whether the model is set', async () => {
    writeFileSync(path.join(base, 'config.toml'), 'max_tokens = 5\n')
    expect(await loadSettings(hostWith({}), none)).toMatchObject({ isModelSet: false })
    writeFileSync(path.join(base, 'config.toml'), 'model = "x"\n')
    expect(await loadSettings(hostWith({}), none)).toMatchObject({ isModelSet: true })
  })
})
