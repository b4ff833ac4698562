// Permissions, hooks and the spending limit over the built program.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/fake-anthropic.ts'
import { answer, openStream, say, status, streamOf } from '../../support/fake-anthropic.ts'
import { withServer } from './with-server.ts'

const at = withServer()

/** Makes the call in the first round of every turn, then ends the turn. */
const calling = (tool: string, input: Record<string, unknown>): Answer => {
  const call = answer({ tool, input })
  return (request, response) => {
    const last = request.body.messages.at(-1)?.content
    return (typeof last === 'string' ? call : say('done'))(request, response)
  }
}
const result = (id: string) => {
  const line = at.box.session(id).find(({ type }) => type === 'tool_result')
  return line?.output as { ok: boolean; error: { code: string; message: string } }
}
const here = (name: string) => existsSync(path.join(at.box.root, name))

describe('permission = "ask" without a terminal', () => {
  it('answers the model how to allow the call, and the rule allows it', async () => {
    at.box.config('permission = "ask"\n')
    at.respond = calling('bash', { command: 'touch made' })
    expect((await at.box.exec('go', '--session', 'one')).code).toBe(0)
    expect(result('one').error).toMatchObject({ code: 'denied' })
    expect(result('one').error.message).toContain(
      'add "bash:touch made" to [permissions] allow in config.toml, or set permission = "allow"',
    )
    expect(here('made')).toBe(false)
    at.box.config('permission = "ask"\n[permissions]\nallow = ["bash:touch made"]\n')
    await at.box.exec('go', '--session', 'two')
    expect(here('made')).toBe(true)
  })

  it('applies to a conversation that reads from a pipe', async () => {
    at.box.config('permission = "ask"\n')
    at.respond = calling('write', { path: 'made', content: 'x' })
    await at.box.zdx(['--session', 'one'], { input: 'go\ny\n' })
    expect(result('one').error.code).toBe('denied')
    expect(here('made')).toBe(false)
  })
})

describe('a hook', () => {
  const hook = (event: string, command: string) =>
    `[[hooks]]\nevent = "${event}"\ncommand = '''${command}'''\n`

  it('that blocks session_start keeps zdx from sending anything', async () => {
    at.box.config(hook('session_start', 'echo not today >&2; exit 2'))
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('a session_start hook blocked the session: not today')
    expect(at.server.requests).toHaveLength(0)
    expect(at.box.sessionIds()).toEqual([])
  })

  it('that blocks turn_end continues the turn with its reason', async () => {
    at.box.config(
      hook('turn_end', 'test -e fixed || { touch fixed; echo tests fail >&2; exit 2; }'),
    )
    await at.box.exec('hi', '--session', 'one')
    expect(at.server.requests).toHaveLength(2)
    expect(at.server.requests[1]?.body.messages.at(-1)).toEqual({
      role: 'user',
      content: 'tests fail',
    })
  })

  it('that always blocks turn_end does not loop for ever', async () => {
    at.box.config(hook('turn_end', 'exit 2'))
    expect((await at.box.exec('hi')).code).toBe(0)
    expect(at.server.requests).toHaveLength(4)
  })

  it('runs at the end of a turn that failed', async () => {
    at.box.config(hook('turn_end', 'cat > ended.json; exit 2'))
    at.respond = status(400, 'bad request')
    expect((await at.box.exec('hi')).code).toBe(1)
    const ended = readFileSync(path.join(at.box.root, 'ended.json'), 'utf8')
    expect(JSON.parse(ended)).toMatchObject({ event: 'turn_end', reason: 'error' })
    expect(at.server.requests).toHaveLength(1)
  })

  it('gives context with session_start, and with turn_end for the next prompt', async () => {
    at.box.config(
      hook('session_start', 'echo \'{"context":"start-context"}\'') +
        hook('turn_end', 'echo \'{"context":"end-context"}\''),
    )
    await at.box.zdx([], { input: 'one\ntwo\n:q\n' })
    const [first, second] = at.server.requests
    expect(JSON.stringify(first?.body.system)).toContain('start-context')
    expect(first?.body.messages.at(-1)?.content).toBe('one')
    expect(second?.body.messages.at(-1)?.content).toBe('two\n\nend-context')
  })

  it('sees no provider key', async () => {
    at.box.config(hook('session_start', 'env > env.txt'))
    await at.box.exec('hi')
    expect(readFileSync(path.join(at.box.root, 'env.txt'), 'utf8')).not.toContain('test-key')
  })
})

describe('--max-usd', () => {
  it('stops before the first request that would exceed it', async () => {
    const ran = await at.box.exec('hi', '--max-usd', '0.000001')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('Error [budget]: the next request would exceed the limit')
    expect(at.server.requests).toHaveLength(0)
  })

  it('counts what the run has spent, and the session can be resumed', async () => {
    at.box.config('max_usd = 0.01\n')
    const lines = streamOf([{ tool: 'bash', input: { command: 'true' } }])
    at.respond = (_request, response) => {
      openStream(response)
      response.end(lines.join('').replace('"input_tokens":12', '"input_tokens":9990'))
    }
    const ran = await at.box.exec('hi', '--session', 'one')
    expect(ran.code).toBe(1)
    expect(at.server.requests).toHaveLength(1)
    at.respond = say('resumed')
    const resumed = await at.box.exec('go on', '--session', 'one', '--max-usd', '5')
    expect(resumed).toMatchObject({ code: 0, stdout: 'resumed\n' })
  })

  it('warns if the price of the model is not known', async () => {
    const ran = await at.box.exec('hi', '--max-usd', '1', '--model', 'unheard-of')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toContain('Warning: the price of unheard-of is not known')
  })

  it('rejects an amount that is not a number', async () => {
    expect((await at.box.exec('hi', '--max-usd', 'lots')).code).toBe(2)
  })
})
