// zdx on a real terminal, which `script` from util-linux provides.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { withServer } from './with-server.ts'

const at = withServer(say('**fine**'))

interface Terminal {
  screen(): string
  /** Waits until the screen shows the text after the previous match. */
  shows(text: string): Promise<void>
  type(keys: string): void
  ended: Promise<number>
}

function openTerminal(...args: string[]): Terminal {
  const line = [builtProgram('zdx'), ...args].join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: at.box.root,
    env: { ...process.env, ...at.box.env, TERM: 'xterm', NO_COLOR: '', FORCE_COLOR: undefined },
  })
  let screen = ''
  let seen = 0
  child.stdout.on('data', (chunk) => (screen += chunk))
  return {
    screen: () => screen,
    shows: async (text) => {
      const end = Date.now() + 20_000
      while (!screen.includes(text, seen)) {
        if (Date.now() > end) throw new Error(`waited in vain for ${text}: ${screen}`)
        await sleep(5)
      }
      seen = screen.indexOf(text, seen) + text.length
    },
    type: (keys) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => code as number),
  }
}

describe('zdx auth login on a terminal', () => {
  it('never echoes the key, even if it is typed at once', async () => {
    const terminal = openTerminal('auth', 'login', 'openai', '--insecure-file')
    await terminal.shows('OpenAI API key (not shown): ')
    terminal.type('sk-hiddenX\u007f-key\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toMatch(/sk-|hidden|\*/)
    const file = path.join(at.box.zdxHome, 'credentials.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ openai: 'sk-hidden-key' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('stores nothing after Ctrl+C', async () => {
    const terminal = openTerminal('auth', 'login', 'openai', '--insecure-file')
    await terminal.shows('(not shown): ')
    terminal.type('sk-half\u0003')
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen()).not.toContain('sk-half')
    expect(existsSync(path.join(at.box.zdxHome, 'credentials.json'))).toBe(false)
  })
})

describe('a conversation on a terminal', () => {
  it('completes paths after an @, sends pasted lines as one prompt and styles the answer', async () => {
    at.box.put('notes/READING.md', 'x')
    const terminal = openTerminal()
    await terminal.shows('you> ')
    terminal.type('look at @not\t')
    await terminal.shows('@notes/')
    terminal.type('R\t')
    await terminal.shows('READING.md')
    terminal.type('\r')
    await terminal.shows('fine')
    await terminal.shows('you> ')
    terminal.type('\u001b[200~one\ntwo\u001b[201~\r')
    await terminal.shows('fine')
    await terminal.shows('you> ')
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    const prompts = at.server.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(prompts).toEqual(['look at @notes/READING.md', 'one\ntwo'])
    expect(terminal.screen()).toContain('\u001b[1mfine\u001b[22m')
  })

  it('clears the line, stops a turn and quits with Ctrl+C', async () => {
    at.respond = answer({ tool: 'bash', input: { command: 'sleep 300' } })
    const terminal = openTerminal()
    await terminal.shows('you> ')
    terminal.type('never sent\u0003')
    await terminal.shows('^C')
    terminal.type('go\r')
    await terminal.shows('Running bash...')
    terminal.type('\u0003')
    await terminal.shows('^C Interrupted.')
    await terminal.shows('you> ')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(at.server.requests.map(({ body }) => body.messages.at(-1)?.content)).toEqual(['go'])
  })

  it('shows a spinner within a second', async () => {
    at.respond = () => {}
    const terminal = openTerminal('exec', '-p', 'go')
    await terminal.shows('0.')
    await terminal.shows(' s')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
  })
})
