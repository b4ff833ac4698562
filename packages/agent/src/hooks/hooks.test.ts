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

  it('names the hook in a block without a reason, and bounds reason, context and warning', async () => {
    expect(await run(['exit 2'])).toMatchObject({ blocked: 'the before_tool hook gave no reason' })
    const letters = (count: number) => `head -c ${count} /dev/zero | tr '\\0' x`
    const { blocked } = await run([`${letters(8193)} >&2; exit 2`])
    expect(blocked).toBe('x'.repeat(8192))
    const json = `printf '{"context":"'; ${letters(65_537)}; printf '"}'`
    expect((await run([json])).context).toEqual(['x'.repeat(65_536)])
    const name = `: ${'y'.repeat(90)}`
    expect((await run([`${name}; ${letters(501)} >&2; exit 1`, 'exit 1'])).notices).toEqual([
      `before_tool hook '${name.slice(0, 80)}' failed with exit 1: ${'x'.repeat(500)}`,
      "before_tool hook 'exit 1' failed with exit 1",
    ])
  })

  it('reads at most 1 MiB of output', async () => {
    const json = (spaces: number) =>
      `printf '{"context":"c"'; head -c ${spaces} /dev/zero | tr '\\0' ' '; printf '}'`
    const used = '{"context":"c"}'.length
    expect((await run([json(1024 * 1024 - used)])).context).toEqual(['c'])
    expect((await run([json(1024 * 1024 - used + 1)])).context).toEqual([])
  })

  it('runs hooks in the working folder, and says which processes it starts', async () => {
    const started: unknown[] = []
    const outcome = await runHooks(
      [`printf '{"context":"%s"}' "$PWD $EXTRA"`],
      'turn_end',
      {},
      {
        root: '/',
        env: { PATH: process.env.PATH, EXTRA: 'x' },
        signal: new AbortController().signal,
        onCommand: (command) => started.push(command),
      },
    )
    expect(outcome).toEqual({ context: ['/ x'], notices: [] })
    expect(started).toHaveLength(1)
  })

  it('ends the running hook at an abort', async () => {
    const abort = new AbortController()
    const outcome = await runHooks(
      ['sleep 300', 'exit 2'],
      'before_tool',
      {},
      {
        root: os.tmpdir(),
        env: process.env,
        signal: abort.signal,
        onCommand: () => abort.abort(),
      },
    )
    expect(outcome).toEqual({ context: [], notices: [] })
  })
})
