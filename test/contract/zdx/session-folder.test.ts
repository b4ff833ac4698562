// The sessions folder in the wild: unusual names, foreign files, unreadable files, and commands that read
// all sessions.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runUnprivileged } from '../../support/run-program.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const ts = '2026-01-02T03:04:05Z'
const meta = { type: 'meta', schema_version: 1, ts }
const user = (text: string) => ({ type: 'message', role: 'user', text, ts })
const file = (name: string) => path.join(box.zdxHome, 'sessions', name)
const idsListed = async () => {
  const { code, stdout } = await box.zdx(['sessions', 'list'])
  expect(code).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ')[0])
    .sort()
}

describe('a session', () => {
  it.each(['.hidden', '...', 'a.b', '-dash', 'mit Leerzeichen', 'ü'])(
    'named %j can be started, listed, found and continued',
    async (id) => {
      box.put('play.jsonl', '{"text":"needle"}\n{"end":true}\n{"text":"more"}\n{"end":true}\n')
      const exec = (...args: string[]) =>
        box.zdx(['exec', '-p', 'hi', '--model', 'script:play.jsonl', ...args])
      expect(await exec(`--session=${id}`)).toMatchObject({ code: 0 })
      expect(await idsListed()).toEqual([id])
      const { stdout } = await box.zdx(['sessions', 'search', 'needle'])
      expect(stdout).toBe(`${id}  3  assistant: needle\n`)
      expect(await exec('-c')).toMatchObject({ code: 0, stdout: 'more\n' })
      expect(box.session(id)).toHaveLength(5)
    },
  )
})

describe('a foreign file in the sessions folder', () => {
  beforeEach(() => {
    box.writeSession('mine', [meta, user('needle')])
    mkdirSync(file('folder.jsonl'))
    symlinkSync('loop.jsonl', file('loop.jsonl'))
    symlinkSync('/nowhere', file('gone.jsonl'))
    for (const name of ['.jsonl', '..jsonl', 'line\nbreak.jsonl', 'back\\slash.jsonl', 'x.txt']) {
      writeFileSync(file(name), `${JSON.stringify(user('needle'))}\n`)
    }
  })

  it('is not listed and fails no command', async () => {
    expect(await idsListed()).toEqual(['mine'])
    const search = await box.zdx(['sessions', 'search', 'needle'])
    expect(search).toMatchObject({ code: 0, stdout: 'mine  2  user: needle\n', stderr: '' })
    const stats = await box.zdx(['sessions', 'stats'])
    expect(stats).toMatchObject({ code: 0, stdout: '1 session, 1 prompt\n', stderr: '' })
  })

  it('is never the latest session', async () => {
    box.put('play.jsonl', '{"text":"ok"}\n')
    const args = ['exec', '-c', '-p', 'on', '--model', 'script:play.jsonl']
    expect(await box.zdx(args)).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(box.session('mine').at(-1)).toMatchObject({ role: 'assistant', text: 'ok' })
  })
})

describe('an unreadable session', () => {
  const zdx = (...args: string[]) => runUnprivileged('zdx', args, { cwd: box.root, env: box.env })
  const warning = () =>
    `Warning: skipped session 'locked': cannot read ${file('locked.jsonl')}: permission denied\n`

  beforeEach(() => {
    for (const id of ['first', 'locked', 'last']) box.writeSession(id, [meta, user('needle')])
    chmodSync(file('locked.jsonl'), 0)
  })

  it('is skipped by search with a warning', async () => {
    const { code, stdout, stderr } = await zdx('sessions', 'search', 'needle')
    expect({ code, stderr }).toEqual({ code: 0, stderr: warning() })
    const lines = stdout.trimEnd().split('\n').sort()
    expect(lines).toEqual(['first  2  user: needle', 'last  2  user: needle'])
  })

  it('is skipped by stats over all sessions and is an error for stats of it alone', async () => {
    expect(await zdx('sessions', 'stats', '--all')).toEqual({
      code: 0,
      signal: null,
      stdout: '2 sessions, 2 prompts\n',
      stderr: warning(),
    })
    const named = await zdx('sessions', 'stats', 'locked')
    expect(named).toMatchObject({ code: 1, stdout: '' })
    expect(named.stderr).toBe(
      `read sessions: cannot read ${file('locked.jsonl')}: permission denied\n`,
    )
  })

  it('is listed without a summary', async () => {
    const { code, stdout } = await zdx('sessions', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^locked {2}\d{4}-\d\d-\d\d \d\d:\d\d$/m)
  })
})

describe('zdx sessions search', () => {
  it('splits no surrogate pair at either end of an excerpt', async () => {
    box.writeSession('s', [meta, user(`${'😀'.repeat(40)}needle${'😀'.repeat(400)}`)])
    const { stdout } = await box.zdx(['sessions', 'search', 'needle'])
    expect(stdout).toMatch(/^s {2}2 {2}user: …(?:😀)+needle(?:😀)+…\n$/u)
  })
})

describe('zdx sessions fork', () => {
  it('accepts lines with CRLF or indentation', async () => {
    const lines = [meta, user('one')].map((line) => `  ${JSON.stringify(line)}\r`)
    box.writeSession('s', lines)
    const { code, stdout } = await box.zdx(['sessions', 'fork', 's'])
    expect(code).toBe(0)
    expect(box.session(stdout.trim())).toEqual([meta, user('one')])
  })

  it('creates a session whose changes can be undone, whatever was undone before', async () => {
    const write = (content: string) => ({ tool: 'write', input: { path: 'f.txt', content } })
    const steps = [write('one'), { text: 'ok' }, { end: true }, write('two'), { text: 'ok' }]
    box.put('play.jsonl', steps.map((step) => JSON.stringify(step)).join('\n'))
    const exec = (id: string) =>
      box.zdx(['exec', '-p', 'go', '--session', id, '--model', 'script:play.jsonl'])
    await exec('s')
    expect(await box.zdx(['sessions', 'undo', 's'])).toMatchObject({ code: 0 })
    const fork = (await box.zdx(['sessions', 'fork', 's'])).stdout.trim()
    await exec(fork)
    const target = path.join(box.root, 'f.txt')
    expect(readFileSync(target, 'utf8')).toBe('two')
    const undone = await box.zdx(['sessions', 'undo', fork])
    expect(undone).toMatchObject({ code: 0, stdout: `Removed ${target}\n` })
    expect(existsSync(target)).toBe(false)
  })
})

describe('zdx sessions diff', () => {
  it('prints names relative to the root, also if the root is a symlink', async () => {
    mkdirSync(path.join(box.root, 'real'))
    symlinkSync('real', path.join(box.root, 'link'))
    const write = (name: string) => ({ tool: 'write', input: { path: name, content: 'x\n' } })
    const steps = [write('a.txt'), write('..b.txt'), write('../c.txt'), { text: 'ok' }]
    box.put('play.jsonl', steps.map((step) => JSON.stringify(step)).join('\n'))
    const model = `script:${path.join(box.root, 'play.jsonl')}`
    await box.zdx(['exec', '-p', 'go', '--session', 's', '--root', 'link', '--model', model])
    const { stdout } = await box.zdx(['sessions', 'diff', 's', '--root', 'link'])
    expect(stdout.match(/^diff .* \(/gm)).toEqual([
      'diff a.txt (',
      'diff ..b.txt (',
      `diff ${path.join(box.root, 'c.txt').slice(1)} (`,
    ])
  })
})

describe('zdx sessions export --out', () => {
  it('reports a full disk in one line', async () => {
    if (!existsSync('/dev/full')) return
    box.writeSession('s', [meta, user('hi')])
    for (const format of ['md', 'json', 'html']) {
      const args = ['sessions', 'export', 's', '--out', '/dev/full', '--format', format]
      expect(await box.zdx(args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'write /dev/full: the disk is full\n',
      })
    }
  })

  it('leaves an existing file alone if the session is missing', async () => {
    const kept = box.put('out.md', 'mine')
    box.writeSession('empty', [])
    for (const id of ['empty', 'none']) {
      const ran = await box.zdx(['sessions', 'export', id, '--out', 'out.md'])
      expect(ran).toMatchObject({ code: 1, stderr: `Session '${id}' is empty or not found.\n` })
    }
    expect(readFileSync(kept, 'utf8')).toBe('mine')
  })
})
