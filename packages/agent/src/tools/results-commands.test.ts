// Whole results of the tools that edit, search and run commands.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, success } from '../envelope/envelope.ts'
import type { ToolContext } from './tool.ts'
import { runTool, toolNames, toolsNamed } from './tools.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-results-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const file = (name: string) => path.join(root, name)
const put = (name: string, text: string | Buffer) => writeFileSync(file(name), text)
const run = (name: string, input: unknown, extra: Partial<ToolContext> = {}) =>
  runTool(toolsNamed(toolNames), name, input, {
    root,
    timeoutMs: undefined,
    signal: new AbortController().signal,
    env: { PATH: process.env.PATH },
    callId: 'c1',
    ...extra,
  })

describe('edit', () => {
  it('says why it did not edit', async () => {
    put('a', 'one\ntwo two\n')
    put('binary', Buffer.from([0xc3, 0x28]))
    mkdirSync(file('folder'))
    expect(await run('edit', { path: 'a', old: 'two', new: '' })).toEqual(
      failure(
        'replacement_count_mismatch',
        `Expected 1 replacement(s) but found 2 in ${file('a')}. ` +
          'Give more surrounding text, or set expected_replacements to 2.',
      ),
    )
    expect(await run('edit', { path: 'a', old: 'zzz', new: '' })).toEqual(
      failure(
        'old_not_found',
        `'old' was not found in ${file('a')}. No line resembles it; read the file again.`,
      ),
    )
    expect(await run('edit', { path: 'folder', old: 'a', new: '' })).toEqual(
      failure('read_error', `Cannot read ${file('folder')}: it is a folder`),
    )
    expect(await run('edit', { path: 'binary', old: 'a', new: '' })).toEqual(
      failure('read_error', `Cannot read ${file('binary')}: it is not UTF-8 text`),
    )
    const beforeChange = async () => ({ ok: false, reason: 'it is locked' }) as const
    expect(await run('edit', { path: 'a', old: 'one', new: '' }, { beforeChange })).toEqual(
      failure('write_error', `Cannot write ${file('a')}: it is locked`),
    )
    const editorFiles = { write: () => Promise.reject(new Error('it is closed')) }
    expect(await run('edit', { path: 'a', old: 'one', new: '' }, { editorFiles })).toEqual(
      failure('write_error', `Cannot write ${file('a')}: it is closed`),
    )
  })

  it('edits the text of the editor', async () => {
    put('a', 'stored')
    const written: string[] = []
    const editorFiles = {
      read: async () => 'edited',
      write: async (_path: string, text: string) => void written.push(text),
    }
    expect(await run('edit', { path: 'a', old: 'edited', new: 'x' }, { editorFiles })).toEqual(
      success({ path: file('a'), replacements: 1 }),
    )
    expect(written).toEqual(['x'])
  })

  it('refuses a file of more than 64 MiB', async () => {
    put('a', 'x')
    truncateSync(file('a'), 64 * 1024 * 1024 + 1)
    expect(await run('edit', { path: 'a', old: 'y', new: '' })).toEqual(
      failure(
        'read_error',
        `Cannot read ${file('a')}: it is larger than 67108864 bytes; use bash with sed`,
      ),
    )
  })
})

describe('bash', () => {
  it('asks before it runs a command', async () => {
    const asked: unknown[] = []
    const beforeCommand = async (command: unknown) => {
      asked.push(command)
      return { ok: false, reason: 'the disk is full' } as const
    }
    expect(await run('bash', { command: 'touch a' }, { beforeCommand })).toEqual(
      failure('not_recorded', 'The command did not run: the disk is full'),
    )
    expect(asked).toMatchObject([{ callId: 'c1', command: 'touch a' }])
  })

  it('runs a command that was allowed, and passes its output and its process on', async () => {
    const seen: string[] = []
    let started = 0
    const extra: Partial<ToolContext> = {
      beforeCommand: async () => ({ ok: true }),
      onOutput: (id, chunk) => void seen.push(id, Buffer.from(chunk).toString()),
      onCommand: () => void (started += 1),
    }
    expect(await run('bash', { command: 'echo hi' }, extra)).toEqual(
      success({ stdout: 'hi\n', stderr: '', exit_code: 0, timed_out: false }),
    )
    expect(seen).toEqual(['c1', 'hi\n'])
    expect(started).toBe(1)
  })

  it('has no standard input, and the variables of the context only', async () => {
    const command = 'cat; echo "$A-$HOME-"'
    const env = { PATH: process.env.PATH, A: 'x' }
    expect(await run('bash', { command }, { env })).toEqual(
      success({ stdout: 'x--\n', stderr: '', exit_code: 0, timed_out: false }),
    )
  })

  it('reports a command that a signal killed', async () => {
    expect(await run('bash', { command: 'kill -9 $$' })).toEqual(
      success({ stdout: '', stderr: '', exit_code: -1, timed_out: false }),
    )
  })

  const configured =
    'The limit is tool_timeout_secs of the configuration. The user can raise it; 0 removes it.'
  const requested = 'The limit is timeout_secs of this call. Repeat the call with a larger value.'

  it.each<[name: string, timeoutMs: number | undefined, secs: number | undefined, hint: string]>([
    ['the configuration', 50, undefined, configured],
    ['the configuration, which is shorter', 50, 9, configured],
    ['the call', undefined, 1, requested],
    ['the call, which is shorter', 60_000, 1, requested],
  ])('stops at the limit of %s', async (_, timeoutMs, timeout_secs, hint) => {
    const input = { command: 'echo hi; sleep 60', ...(timeout_secs && { timeout_secs }) }
    const seconds = hint === configured ? 0.05 : 1
    const answer = await run('bash', input, { timeoutMs })
    expect(answer).toEqual(
      success({
        stdout: expect.stringMatching(/^(hi\n)?$/) as string,
        stderr: `Command timed out after ${seconds} seconds`,
        exit_code: -1,
        timed_out: true,
        hint,
      }),
    )
  })

  it('takes a limit above that of timers', async () => {
    expect(await run('bash', { command: 'true', timeout_secs: 2 ** 31 })).toMatchObject({
      data: { exit_code: 0, timed_out: false },
    })
  })

  it('says that the user interrupted it, or that the folder is missing', async () => {
    expect(await run('bash', { command: 'true' }, { signal: AbortSignal.abort() })).toEqual(
      failure('cancelled', 'Interrupted by the user'),
    )
    rmSync(root, { recursive: true })
    expect(await run('bash', { command: 'true' })).toEqual(
      failure('spawn_error', `The working folder does not exist: ${root}`),
    )
  })
})

describe('search', () => {
  beforeEach(() => {
    put('a.ts', 'export function one() {}\nconst two = 2\n')
    put('b.md', 'one\n')
  })

  it('finds lines by a regular expression, in all files, a path or a glob', async () => {
    const files = async (input: object) => {
      const answer = await run('search', { op: 'grep', pattern: 'on[e]', ...input })
      return answer.ok ? JSON.stringify(answer.data) : answer.error.code
    }
    const found = await Promise.all([{}, { path: 'b.md' }, { glob: '*.ts' }].map(files))
    expect(found.map((text) => [text.includes('a.ts'), text.includes('b.md')])).toEqual([
      [true, true],
      [false, true],
      [true, false],
    ])
    expect(found.some((text) => text.includes('metrics'))).toBe(false)
  })

  it('lists files by a glob', async () => {
    const answer = await run('search', { op: 'list', glob: '*.md' })
    expect(JSON.stringify(answer)).toContain('b.md')
    expect(JSON.stringify(answer)).not.toContain('a.ts')
  })

  it('lists the symbols of a file', async () => {
    const answer = await run('search', { op: 'symbols', path: 'a.ts' })
    expect(answer.ok).toBe(true)
    expect(JSON.stringify(answer)).toContain('"one"')
  })

  it('finds at most 100 lines', async () => {
    put('many', 'needle\n'.repeat(150))
    const answer = await run('search', { op: 'grep', pattern: 'needle' })
    expect(JSON.stringify(answer).match(/"line(_number)?":\d+/g)).toHaveLength(100)
  })

  it('says why it failed', async () => {
    const answer = await run('search', { op: 'grep', pattern: '(' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'search_error' } })
  })
})
