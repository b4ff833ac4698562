// The session picker of `zdx sessions resume` on a real terminal, which `script` from util-linux provides.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { until } from './sandbox.ts'
import { withServer } from './with-server.ts'

const at = withServer()

function openPicker() {
  const child = spawn('script', ['-qec', `${builtProgram('zdx')} sessions resume`, '/dev/null'], {
    cwd: at.box.root,
    env: { ...process.env, ...at.box.env, TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  let screen = ''
  child.stdout.on('data', (chunk) => (screen += chunk))
  return {
    /** Waits for the text after the last redraw. */
    shows: (text: string) =>
      until(() => screen.slice(screen.lastIndexOf('filter:')).includes(text)),
    sees: (text: string) => until(() => screen.includes(text)),
    screen: () => screen,
    type: (keys: string) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => code as number),
  }
}

beforeEach(() => {
  for (const [index, title] of ['Newest task', 'Middle task', 'Oldest task'].entries()) {
    const id = `session-${index}`
    at.box.writeSession(id, [
      { type: 'meta', schema_version: 1, ts: '', root: at.box.root },
      { type: 'message', role: 'user', text: title, ts: '' },
      { type: 'message', role: 'assistant', text: `hidden-word-${index}`, ts: '' },
    ])
    const time = Date.now() / 1000 - index * 60
    utimesSync(path.join(at.box.zdxHome, 'sessions', `${id}.jsonl`), time, time)
  }
})

describe('the session picker', () => {
  it('resumes the session chosen with the arrows, and passes later input on', async () => {
    const terminal = openPicker()
    await terminal.shows('❯ ')
    expect(terminal.screen()).toMatch(/❯ .*Newest task[\s\S]* {2}.*Middle task[\s\S]*Oldest task/)
    terminal.type('\u001b[B\r')
    await terminal.sees('Session: session-1')
    await terminal.sees('you> ')
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
  })

  it('filters by title and by text', async () => {
    const terminal = openPicker()
    await terminal.shows('3 of 3')
    terminal.type('oldest')
    await terminal.shows('1 of 3')
    terminal.type('\u0015hidden-word-1')
    await terminal.shows('1 of 3')
    await terminal.shows('Middle task')
    terminal.type('\r')
    await terminal.sees('Session: session-1')
    await terminal.sees('you> ')
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
  })

  // Esc is part of hostile-terminal.test.ts.
  it('resumes a session by its text although Enter was typed before the picker was drawn', async () => {
    const terminal = openPicker()
    terminal.type('hidden-word-2\r:q\r')
    await terminal.sees('Session: session-2')
    expect(await terminal.ended).toBe(0)
  })

  it('leaves with 130 after Ctrl+C', async () => {
    const terminal = openPicker()
    await terminal.shows('3 of 3')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
  })
})
