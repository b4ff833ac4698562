// `zdx sessions`: list, fork, delete, rename, search, export, stats, diff, undo.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const play = (...steps: object[]) =>
  box.put('play.jsonl', steps.map((step) => JSON.stringify(step)).join('\n'))

const exec = (prompt: string, ...args: string[]) =>
  box.zdx([
    'exec',
    '-p',
    prompt,
    '--session',
    's',
    '--provider',
    'script',
    '--model',
    'play.jsonl',
    ...args,
  ])

const usage = { usage: { input_tokens: 100, output_tokens: 20, cached_input_tokens: 60 } }
const end = { end: true }

describe('zdx sessions list', () => {
  it('prints model, tokens and the first prompt after id and time', async () => {
    play({ text: 'ok' }, usage, end)
    await exec('fix the\nparser')
    const { stdout } = await box.zdx(['sessions'])
    expect(stdout).toMatch(
      /^s {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}play\.jsonl {2}120 tokens {2}fix the parser\n$/,
    )
  })

  it('prints the title set by rename', async () => {
    play({ text: 'ok' }, end)
    await exec('hello')
    expect(await box.zdx(['sessions', 'rename', 's', 'The parser'])).toMatchObject({ code: 0 })
    expect((await box.zdx(['sessions', 'list'])).stdout).toMatch(/ {2}The parser\n$/)
    expect(await box.zdx(['sessions', 'rename', 'none', 'x'])).toMatchObject({ code: 1 })
  })
})

describe('zdx sessions fork', () => {
  it('copies the events up to a line into a new session', async () => {
    play({ text: 'one' }, end, { text: 'two' }, end, { text: 'other two' }, end)
    await exec('first')
    await exec('second')
    const { stdout, code } = await box.zdx(['sessions', 'fork', 's', '--at', '3'])
    expect(code).toBe(0)
    const id = stdout.trim()
    expect(box.session(id)).toEqual(box.session('s').slice(0, 3))
    const whole = (await box.zdx(['sessions', 'fork', 's'])).stdout.trim()
    expect(box.session(whole)).toEqual(box.session('s'))
    expect(await box.zdx(['sessions', 'fork', 'none'])).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('zdx sessions delete', () => {
  it('removes the session and its undo data', async () => {
    play({ tool: 'write', input: { path: 'f', content: 'x' } }, { text: 'ok' })
    await exec('go')
    expect(existsSync(path.join(box.zdxHome, 'undo/s'))).toBe(true)
    expect(await box.zdx(['sessions', 'delete', 's'])).toMatchObject({ code: 0 })
    expect(box.sessionIds()).toEqual([])
    expect(existsSync(path.join(box.zdxHome, 'undo/s'))).toBe(false)
    const again = await box.zdx(['sessions', 'delete', 's'])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("there is no session 's'")
  })
})

describe('a session title', () => {
  it('is removed with its session and not inherited by a later one of the same id', async () => {
    play({ text: 'ok' }, end, { text: 'ok' }, end)
    await exec('hello')
    await box.zdx(['sessions', 'rename', 's', 'The parser'])
    await box.zdx(['sessions', 'delete', 's'])
    await exec('afresh')
    expect((await box.zdx(['sessions', 'list'])).stdout).toMatch(/ {2}afresh\n$/)
  })
})

describe('a missing session', () => {
  it.each([['fork'], ['delete'], ['rename', 'title'], ['export'], ['stats'], ['diff'], ['undo']])(
    'is an error for zdx sessions %s',
    async (command, ...more) => {
      const ran = await box.zdx(['sessions', command, 'none', ...more])
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain("'none'")
    },
  )
})

describe('zdx sessions search', () => {
  it('finds messages, tool inputs and tool results, case-insensitively', async () => {
    play({ tool: 'bash', input: { command: 'echo Needle' } }, { text: 'found the NEEDLE' }, end)
    await exec('look')
    const { stdout } = await box.zdx(['sessions', 'search', 'needle'])
    expect(stdout).toBe(
      's  3  bash: echo Needle\ns  4  bash result: Needle\ns  5  assistant: found the NEEDLE\n',
    )
    expect(await box.zdx(['sessions', 'search', 'absent'])).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('zdx sessions search with an empty text', () => {
  it('is a usage error', async () => {
    expect(await box.zdx(['sessions', 'search', ' '])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('zdx sessions export', () => {
  it('writes complete Markdown, or numbered events as JSON', async () => {
    play({ tool: 'bash', input: { command: 'seq 1 500' } }, { text: 'ok' }, end)
    await exec('go')
    const md = await box.zdx(['sessions', 'export', 's'])
    expect(md.stdout).toContain('### Result ✓')
    expect(md.stdout).toContain('stdout:\n1\n2\n')
    expect(md.stdout).toContain('\n499\n500\n')
    const json = await box.zdx(['sessions', 'export', 's', '--format', 'json'])
    const lines = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines).toEqual(box.session('s').map((line, index) => ({ event: index + 1, ...line })))
    await box.zdx(['sessions', 'export', 's', '--out', 'session.md'])
    expect(readFileSync(path.join(box.root, 'session.md'), 'utf8')).toBe(md.stdout)
    expect(await box.zdx(['sessions', 'export', 'none'])).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('zdx sessions stats', () => {
  it('sums per model, including tool rounds', async () => {
    play({ tool: 'bash', input: { command: 'true' } }, usage, { text: 'ok' }, usage, end)
    await exec('go')
    const { stdout } = await box.zdx(['sessions', 'stats'])
    expect(stdout).toMatch(/^1 session, 1 prompt\n/)
    expect(stdout).toMatch(/script:play\.jsonl +2 +200 +120 +40 +[\d.]+ s +-\n/)
  })
})

describe('zdx sessions diff and undo', () => {
  const text = (name: string) => readFileSync(path.join(box.root, name), 'utf8')
  const change = (...calls: [string, object][]) =>
    play(
      ...calls.map(([tool, input]) => ({ tool, input })),
      { text: 'done' },
      end,
      { tool: 'write', input: { path: 'a.txt', content: 'again\n' } },
      { text: 'done' },
      end,
    )

  beforeEach(async () => {
    box.put('a.txt', 'one\ntwo\n')
    change(
      ['edit', { path: 'a.txt', old: 'two', new: 'zwei' }],
      ['write', { path: 'new/b.txt', content: 'b\n' }],
    )
    await exec('change')
  })

  it('show the changes of the session', async () => {
    const { stdout } = await box.zdx(['sessions', 'diff', 's'])
    expect(stdout).toBe(
      'diff a.txt (event 3)\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n' +
        'diff new/b.txt (event 4)\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+b\n',
    )
  })

  it('say so when a session changed no files', async () => {
    play({ text: 'Only words.' }, end)
    await box.zdx([
      '--provider',
      'script',
      '--model',
      'play.jsonl',
      '--session',
      'words',
      'exec',
      '-p',
      'hello',
    ])
    const { stdout, stderr } = await box.zdx(['sessions', 'diff', 'words'])
    expect(stdout).toBe('')
    expect(stderr).toBe('This session changed no files.\n')
  })

  it('undo the last turn, then the one before, and record it', async () => {
    await exec('again')
    expect(text('a.txt')).toBe('again\n')
    expect(await box.zdx(['sessions', 'undo', 's'])).toMatchObject({ code: 0 })
    expect(text('a.txt')).toBe('one\nzwei\n')
    const ran = await box.zdx(['sessions', 'undo', 's'])
    expect(ran.stdout).toContain(`Restored ${path.join(box.root, 'a.txt')}\n`)
    expect(text('a.txt')).toBe('one\ntwo\n')
    expect(existsSync(path.join(box.root, 'new/b.txt'))).toBe(false)
    expect(box.session('s').at(-1)).toMatchObject({ type: 'undo', undone: [1, 2] })
    const nothing = await box.zdx(['sessions', 'undo', 's'])
    expect(nothing.code).toBe(1)
    expect(nothing.stderr).toContain('there are no changes to undo')
    expect((await box.zdx(['sessions', 'diff', 's'])).stdout).toBe('')
  })

  it('undo everything after an event', async () => {
    await exec('again')
    await box.zdx(['sessions', 'undo', 's', '--to', '3'])
    expect(text('a.txt')).toBe('one\nzwei\n')
    expect(existsSync(path.join(box.root, 'new/b.txt'))).toBe(false)
    await box.zdx(['sessions', 'undo', 's', '--to', '0'])
    expect(text('a.txt')).toBe('one\ntwo\n')
  })

  it('fail without a change if a file was modified since', async () => {
    writeFileSync(path.join(box.root, 'a.txt'), 'mine\n')
    const ran = await box.zdx(['sessions', 'undo', 's'])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('a.txt: it has changed since; nothing was changed')
    expect(text('a.txt')).toBe('mine\n')
    expect(text('new/b.txt')).toBe('b\n')
  })

  it('have nothing to undo with --no-save', async () => {
    box.put('play.jsonl', '{"tool":"write","input":{"path":"c","content":"c"}}\n{"text":"ok"}\n')
    await box.zdx(['exec', '-p', 'x', '--no-save', '--provider', 'script', '--model', 'play.jsonl'])
    expect(existsSync(path.join(box.zdxHome, 'undo'))).toBe(true)
    expect(existsSync(path.join(box.root, 'c'))).toBe(true)
    expect((await box.zdx(['sessions', 'diff', 's'])).stdout).not.toContain('diff c')
  })

  it('report the undo to the model', async () => {
    await box.zdx(['sessions', 'undo', 's'])
    box.put(
      'play.jsonl',
      `{"text":"x"}\n{"end":true}\n{"text":"x"}\n{"end":true}\n{"text":"{{find:/undid your changes to: \\\\S+/}}"}\n`,
    )
    const ran = await exec('and now')
    expect(ran.stdout).toContain('undid your changes to')
  })
})
