// zdx asks for permission on a real terminal, which `script` from util-linux provides.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { until } from './sandbox.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

function openTerminal(...args: string[]) {
  const line = [builtProgram('zdx'), ...args].join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: at.box.root,
    env: { ...process.env, ...at.box.env, TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  let screen = ''
  let seen = 0
  child.stdout.on('data', (chunk) => (screen += chunk))
  return {
    shows: async (text: string) => {
      await until(() => screen.includes(text, seen))
      seen = screen.indexOf(text, seen) + text.length
    },
    type: (keys: string) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => code as number),
  }
}
const bash = (command: string) => answer({ tool: 'bash', input: { command } })
const made = (name: string) => existsSync(path.join(at.box.root, name))

describe('permission = "ask" on a terminal', () => {
  it('asks in zdx exec, and a typed reason goes to the model', async () => {
    at.box.config('permission = "ask"\n')
    at.respond = inTurn(bash('touch one'), bash('touch two'), say('done'))
    const terminal = openTerminal('exec', '-p', 'go')
    await terminal.shows('bash touch one')
    await terminal.shows('allow> ')
    expect(made('one')).toBe(false)
    terminal.type('y\r')
    await terminal.shows('bash touch two')
    await terminal.shows('allow> ')
    terminal.type('use another name\r')
    expect(await terminal.ended).toBe(0)
    expect([made('one'), made('two')]).toEqual([true, false])
    expect(at.server.requests[2]?.raw).toContain('The user did not allow bash: use another name')
  })

  it('stops exec with Ctrl+C at the question', async () => {
    at.box.config('permission = "ask"\n')
    at.respond = bash('touch one')
    const terminal = openTerminal('exec', '-p', 'go')
    await terminal.shows('allow> ')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(made('one')).toBe(false)
  })

  it('asks once in a conversation after "always"', async () => {
    at.box.config('permission = "ask"\n')
    at.respond = inTurn(bash('touch one'), bash('touch one'), say('done'))
    const terminal = openTerminal()
    await terminal.shows('you> ')
    terminal.type('go\r')
    await terminal.shows('a (always bash:touch one)')
    await terminal.shows('allow> ')
    terminal.type('a\r')
    await terminal.shows('done')
    await terminal.shows('you> ')
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    expect(at.server.requests).toHaveLength(3)
  })
})
