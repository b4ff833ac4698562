import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultTools, runTool } from './tools.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-tools-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const file = (name: string) => path.join(root, name)
const put = (name: string, text: string | Buffer) => writeFileSync(file(name), text)
const text = (name: string) => readFileSync(file(name), 'utf8')

function run(
  name: string,
  input: unknown,
  extra: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  return runTool(defaultTools, name, input, {
    root,
    timeoutMs: extra.timeoutMs,
    signal: extra.signal ?? new AbortController().signal,
    env: { PATH: process.env.PATH },
    callId: 'c1',
  })
}

const code = async (answer: ReturnType<typeof run>) => {
  const envelope = await answer
  return envelope.ok ? 'ok' : envelope.error.code
}

describe('every tool', () => {
  it('is offered in alphabetical order with a short schema', () => {
    expect(defaultTools.map(({ name }) => name)).toEqual(['bash', 'edit', 'read', 'write'])
    expect(JSON.stringify(defaultTools).length).toBeLessThan(870)
  })

  it.each([
    ['read', {}],
    ['read', { path: 5 }],
    ['read', null],
    ['read', ['x']],
    ['read', 'x'],
    ['write', { path: 'x' }],
    ['write', { path: 'x', content: null }],
    ['bash', { command: ['ls'] }],
    ['edit', { path: 'x', old: 'a' }],
    ['edit', { path: 'x', old: '', new: 'b' }],
    ['edit', { path: 'x', old: 'a', new: 'b', expected_replacements: 0 }],
    ['edit', { path: 'x', old: 'a', new: 'b', expected_replacements: 1.5 }],
    ['edit', { path: 'x', old: 'a', new: 'b', expected_replacements: '2' }],
    ['edit', { path: 'x', old: 'a', new: 'b', expected_replacements: true }],
  ])('rejects invalid input with invalid_input: %s %j', async (name, input) => {
    const envelope = await run(name, input)
    expect(envelope).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(JSON.stringify(envelope)).toContain(`Invalid input for ${name} tool: `)
  })

  it('ignores unknown fields', async () => {
    put('x', 'hi')
    expect(await run('read', { path: 'x', extra: 1 })).toMatchObject({ ok: true })
  })

  it.each(['frobnicate', 'toString', '__proto__'])('rejects the unknown tool %s', async (name) => {
    expect(await run(name, {})).toEqual({
      ok: false,
      error: { code: 'unknown_tool', message: `Unknown tool: ${name}` },
    })
  })
})

describe('read', () => {
  it('returns the contents, the canonical path and the size', async () => {
    put('a.txt', 'héllo\r\n')
    symlinkSync(file('a.txt'), file('link'))
    expect(await run('read', { path: 'link' })).toEqual({
      ok: true,
      data: { path: file('a.txt'), content: 'héllo\r\n', truncated: false, bytes: 8 },
    })
  })

  it('cuts at 51200 bytes on a character boundary', async () => {
    put('exact', 'x'.repeat(51_200))
    expect(await run('read', { path: 'exact' })).toMatchObject({ data: { truncated: false } })
    put('split', `${'x'.repeat(51_199)}€${'y'.repeat(100)}`)
    expect(await run('read', { path: 'split' })).toMatchObject({
      data: { truncated: true, content: 'x'.repeat(51_199), bytes: 51_302 },
    })
  })

  it('reports the failing step and the reason', async () => {
    put('binary', Buffer.from([0xff, 0xfe, 0, 1]))
    mkdirSync(file('folder'))
    expect(await run('read', { path: 'nope' })).toMatchObject({
      error: { code: 'path_error', message: expect.stringContaining('Path does not exist') },
    })
    expect(await code(run('read', { path: 'binary' }))).toBe('read_error')
    expect(await code(run('read', { path: 'folder' }))).toBe('read_error')
    expect(await code(run('read', { path: 'a\0b' }))).toBe('path_error')
  })

  it('accepts a path with a line break and a path outside the root', async () => {
    put('a\nb', 'hi')
    expect(await run('read', { path: 'a\nb' })).toMatchObject({ data: { content: 'hi' } })
    expect(await code(run('read', { path: '/etc/hostname' }))).toBe('ok')
  })

  it('does not hang on a pipe without a writer', async () => {
    execFileSync('mkfifo', [file('pipe')])
    expect(await run('read', { path: 'pipe' }, { timeoutMs: 200 })).toEqual({
      ok: false,
      error: {
        code: 'timeout',
        message: 'Tool execution timed out after 0.2 seconds',
      },
    })
  })

  it('reads the head of a huge file in bounded memory', async () => {
    execFileSync('truncate', ['-s', '2G', file('huge')])
    expect(await run('read', { path: 'huge' })).toMatchObject({
      data: { truncated: true, bytes: 2 ** 31 },
    })
  })
})

describe('write', () => {
  it('creates the file and its parent folders, and overwrites', async () => {
    const target = file('a/b/c.txt')
    const data = { path: target, bytes: 3, created: true }
    expect(await run('write', { path: 'a/b/c.txt', content: 'é!' })).toEqual({ ok: true, data })
    expect(await run('write', { path: target, content: '' })).toMatchObject({
      data: { created: false, bytes: 0 },
    })
    expect(text('a/b/c.txt')).toBe('')
  })

  it('writes through a symbolic link and keeps the mode and the hard links of a file', async () => {
    put('real', 'old')
    chmodSync(file('real'), 0o755)
    symlinkSync(file('real'), file('link'))
    await run('write', { path: 'link', content: 'new' })
    expect(text('real')).toBe('new')
    expect(statSync(file('real')).mode & 0o777).toBe(0o755)
    linkSync(file('real'), file('twin'))
    await run('write', { path: 'real', content: 'both' })
    expect(text('twin')).toBe('both')
  })

  it('reports the failing step and the reason', async () => {
    put('plain', 'x')
    mkdirSync(file('folder'))
    expect(await code(run('write', { path: 'plain/x', content: '' }))).toBe('mkdir_error')
    expect(await code(run('write', { path: 'folder', content: '' }))).toBe('write_error')
    expect(await code(run('write', { path: `${'n'.repeat(300)}`, content: '' }))).toBe(
      'write_error',
    )
  })

  it('does not hang on a pipe without a reader', async () => {
    execFileSync('mkfifo', [file('pipe')])
    const answer = run('write', { path: 'pipe', content: 'x' }, { timeoutMs: 200 })
    expect(await code(answer)).toBe('timeout')
  })
})

describe('edit', () => {
  const edit = (path: string, old: string, next: string, expected?: number) =>
    run('edit', { path, old, new: next, expected_replacements: expected })

  it('replaces exact text and keeps line ends and the byte order mark', async () => {
    put('a', '\ufeffone\r\ntwo\r\n')
    expect(await edit('a', 'two', 'zwei')).toEqual({
      ok: true,
      data: { path: file('a'), replacements: 1 },
    })
    expect(text('a')).toBe('\ufeffone\r\nzwei\r\n')
  })

  it.each(['$&', '$1', '$$', '\\n', "$'", ''])('inserts %j literally', async (next) => {
    put('a', 'x [here] y')
    await edit('a', '[here]', next)
    expect(text('a')).toBe(`x ${next} y`)
  })

  it('counts occurrences that do not overlap and does not write on a mismatch', async () => {
    put('a', 'aaaa')
    expect(await edit('a', 'aa', 'b')).toMatchObject({
      error: { code: 'replacement_count_mismatch', message: expect.stringMatching(/1.*found 2/) },
    })
    expect(text('a')).toBe('aaaa')
    expect(await edit('a', 'aa', 'b', 2)).toMatchObject({ data: { replacements: 2 } })
    expect(text('a')).toBe('bb')
  })

  it('reports the most similar lines if the text is not found', async () => {
    put('a', 'function first() {\n  return 1\n}\n\nfunction second() {\n    return 2\n}\n')
    const answer = await edit('a', 'function second() {\n  return 2\n}', 'x')
    expect(answer).toMatchObject({ error: { code: 'old_not_found' } })
    const message = answer.ok ? '' : answer.error.message
    expect(message).toContain('line 5')
    expect(message).toContain('line 6 differs')
    expect(message).toContain('"    return 2"')
  })

  it('reports the failing step and the reason', async () => {
    put('binary', Buffer.from([0xc3, 0x28]))
    mkdirSync(file('folder'))
    expect(await code(edit('nope', 'a', 'b'))).toBe('path_error')
    expect(await code(edit('folder', 'a', 'b'))).toBe('read_error')
    expect(await code(edit('binary', 'a', 'b'))).toBe('read_error')
  })

  it('equals split and join for random text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '$', 'é', '😀'), maxLength: 40 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$'), minLength: 1, maxLength: 3 }),
        fc.string({ maxLength: 5 }),
        async (whole, old, next) => {
          put('p', whole)
          const count = whole.split(old).length - 1
          const answer = await edit('p', old, next, Math.max(1, count))
          expect(answer.ok).toBe(count > 0)
          if (count > 0) expect(text('p')).toBe(whole.split(old).join(next))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('bash', () => {
  it('runs in the root without stdin and reports output and exit code', async () => {
    const command = 'pwd; cat; echo err >&2; exit 3'
    expect(await run('bash', { command })).toEqual({
      ok: true,
      data: { stdout: `${root}\n`, stderr: 'err\n', exit_code: 3, timed_out: false },
    })
  })

  it('reports exit code -1 for a command killed by a signal', async () => {
    expect(await run('bash', { command: 'kill -9 $$' })).toMatchObject({ data: { exit_code: -1 } })
  })

  it('kills the process group at the time limit and keeps the captured output', async () => {
    const command = 'echo before; sleep 60 & echo $! ; sleep 60'
    const answer = await run('bash', { command }, { timeoutMs: 300 })
    expect(answer).toMatchObject({
      data: { stderr: 'Command timed out after 0.3 seconds', exit_code: -1, timed_out: true },
    })
    const [first, pid] = String(answer.ok && answer.data.stdout).split('\n')
    expect(first).toBe('before')
    expect(processState(Number(pid))).toMatch(/^[ZX]?$/)
  })

  it('does not wait for a background process', async () => {
    const started = performance.now()
    const answer = await run('bash', { command: 'sleep 60 & echo hi $!' })
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(answer).toMatchObject({ data: { exit_code: 0 } })
    const pid = Number(/hi (\d+)/.exec(String(answer.ok && answer.data.stdout))?.[1])
    if (processState(pid) !== '') process.kill(pid, 'SIGKILL')
  })

  it('is cancelled by an interrupt', async () => {
    const controller = new AbortController()
    const answer = run('bash', { command: 'sleep 60' }, { signal: controller.signal })
    setImmediate(() => controller.abort())
    expect(await code(answer)).toBe('cancelled')
  })

  it('reports a missing working folder', async () => {
    rmSync(root, { recursive: true })
    expect(await code(run('bash', { command: 'true' }))).toBe('spawn_error')
  })
})

/** The state letter of a process; empty if it does not exist. */
function processState(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
  } catch {
    return ''
  }
}
