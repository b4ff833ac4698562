import os from 'node:os'
import { describe, expect, it } from 'vitest'
import { defaultLimitMs, runHooks } from './hooks.ts'

const run = (commands: string[], signal = new AbortController().signal, limitMs?: number) =>
  runHooks(
    commands,
    'before_tool',
    { tool: 'edit' },
    { root: os.tmpdir(), env: process.env, signal, limitMs },
  )

describe('runHooks', () => {
  it('gives each hook the event as JSON and returns its context', async () => {
    const command =
      'node -e \'process.stdin.on("data", (d) => console.log(JSON.stringify({ context: String(d) })))\''
    const { context } = await run([command])
    expect(JSON.parse(context[0] ?? '')).toEqual({ event: 'before_tool', tool: 'edit' })
  })

  it('stops at the hook that blocks', async () => {
    const outcome = await run([
      'echo \'{"context":"c"}\'',
      'echo why >&2; exit 2',
      'echo >&2; exit 3',
    ])
    expect(outcome).toEqual({ blocked: 'why', context: ['c'], notices: [] })
  })

  it('warns about other exits and goes on', async () => {
    const { notices, context } = await run([
      'echo odd >&2; exit 5',
      'kill -9 $$',
      'echo not json',
      'echo \'{"context":7}\'',
      'cat; echo \'{"context":"late"}\'',
    ])
    expect(notices[0]).toBe("before_tool hook 'echo odd >&2; exit 5' failed with exit 5: odd")
    expect(notices[1]).toContain('SIGKILL')
    expect(notices).toHaveLength(2)
    expect(context).toEqual([])
  })

  it('stops a hook at its limit, which is 60 s by default', async () => {
    expect(defaultLimitMs).toBe(60_000)
    const slow = 'sleep 300; echo \'{"context":"late"}\''
    const { notices, context } = await run([slow], undefined, 100)
    expect(notices).toEqual([`before_tool hook '${slow}' was stopped after 0.1 s`])
    expect(context).toEqual([])
  })

  it('runs nothing after an abort', async () => {
    expect(await run(['exit 2'], AbortSignal.abort())).toEqual({ context: [], notices: [] })
  })
})
