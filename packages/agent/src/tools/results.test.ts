// Whole results of the tools: every message, field and bound.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { ExternalTool, FileChange, Tool, ToolContext } from './tool.ts'
import { runTool, toolNames, toolsNamed } from './tools.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-results-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const file = (name: string) => path.join(root, name)
const put = (name: string, text: string | Buffer) => writeFileSync(file(name), text)
const all = toolsNamed(toolNames)

const contextOf = (extra: Partial<ToolContext> = {}): ToolContext => ({
  root,
  timeoutMs: undefined,
  signal: new AbortController().signal,
  env: { PATH: process.env.PATH },
  callId: 'c1',
  ...extra,
})
const run = (name: string, input: unknown, extra: Partial<ToolContext> = {}) =>
  runTool(all, name, input, contextOf(extra))

describe('the tools', () => {
  it('have these names, descriptions and schemas', () => {
    const string = { type: 'string' }
    const integer = { type: 'integer' }
    expect(toolNames).toEqual(['bash', 'edit', 'jobs', 'read', 'search', 'web_fetch', 'write'])
    expect(toolsNamed(['write', 'none', 'bash']).map(({ name }) => name)).toEqual(['bash', 'write'])
    expect(all.map(({ name, description, schema }) => ({ name, description, schema }))).toEqual([
      {
        name: 'bash',
        description: 'Run a shell command.',
        schema: {
          type: 'object',
          properties: { command: string, timeout_secs: integer },
          required: ['command'],
        },
      },
      {
        name: 'edit',
        description: 'Replace exact text in a file.',
        schema: {
          type: 'object',
          properties: {
            path: string,
            old: string,
            new: string,
            expected_replacements: { type: 'integer', default: 1 },
          },
          required: ['path', 'old', 'new'],
        },
      },
      {
        name: 'read',
        description: 'Read a file: 50 KiB at most, or lines from offset.',
        schema: {
          type: 'object',
          properties: { path: string, offset: integer, limit: integer },
          required: ['path'],
        },
      },
      {
        name: 'search',
        description: 'Search files: grep (regex), list (glob), symbols (of one file).',
        schema: {
          type: 'object',
          properties: {
            op: { type: 'string', enum: ['grep', 'list', 'symbols'] },
            pattern: string,
            path: string,
            glob: string,
          },
          required: ['op'],
        },
      },
      {
        name: 'write',
        description: 'Create or overwrite a file.',
        schema: {
          type: 'object',
          properties: { path: string, content: string },
          required: ['path', 'content'],
        },
      },
    ])
  })

  it.each<[name: string, input: unknown, reason: string]>([
    ['read', null, 'expected an object'],
    ['read', {}, "missing field 'path'"],
    ['read', { path: null }, "'path' must be a string"],
    ['read', Object.create({ path: 'x' }), "missing field 'path'"],
    ['read', { path: 5 }, "'path' must be a string"],
    ['read', { path: 'x', offset: '1' }, "'offset' must be an integer"],
    ['read', { path: 'x', offset: 2 ** 53 }, "'offset' must be an integer"],
    ['read', { path: 'x', offset: 0 }, "'offset' must be at least 1"],
    ['read', { path: 'x', limit: 0 }, "'limit' must be at least 1"],
    ['edit', { path: 'x', old: '', new: '' }, "'old' must not be empty"],
    [
      'edit',
      { path: 'x', old: 'a', new: '', expected_replacements: 0 },
      "'expected_replacements' must be at least 1",
    ],
    ['bash', { command: 'true', timeout_secs: 0 }, "'timeout_secs' must be at least 1"],
    ['search', { op: 'x' }, "'op' must be one of: grep, list, symbols"],
    ['search', { op: 'grep' }, "grep needs 'pattern'"],
    ['search', { op: 'grep', pattern: '' }, "grep needs 'pattern'"],
    ['search', { op: 'symbols', pattern: 'x' }, "symbols needs 'path'"],
    ['search', { op: 'symbols', path: '' }, "symbols needs 'path'"],
  ])('%s refuses %j: %s', async (name, input, reason) => {
    expect(await run(name, input)).toEqual(
      failure('invalid_input', `Invalid input for ${name} tool: ${reason}`),
    )
  })

  it('take null for a field that is not required', async () => {
    put('a', 'x')
    expect((await run('read', { path: 'a', offset: null })).ok).toBe(true)
    const input = { path: 'a', old: 'x', new: 'y', expected_replacements: null }
    expect(await run('edit', input)).toEqual(success({ path: file('a'), replacements: 1 }))
  })
})

describe('runTool', () => {
  const external = (run: ExternalTool['run']): Tool => ({
    external: true,
    name: 'far',
    description: 'd',
    schema: {},
    run,
  })

  it('gives an external tool its input and refuses one that is no object', async () => {
    const tool = external(async (input) => success({ got: input }))
    expect(await runTool([tool], 'far', { a: null }, contextOf())).toEqual(
      success({ got: { a: null } }),
    )
    expect(await runTool([tool], 'far', [], contextOf())).toEqual(
      failure('invalid_input', 'Invalid input for far tool: expected an object'),
    )
  })

  it('checks booleans and takes an input with a field ok', async () => {
    const flag: Tool = {
      name: 'flag',
      description: 'd',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: [] },
      run: async (input) => success({ ...input }),
    }
    expect(await runTool([flag], 'flag', { ok: 'yes' }, contextOf())).toEqual(
      failure('invalid_input', "Invalid input for flag tool: 'ok' must be true or false"),
    )
    expect(await runTool([flag], 'flag', {}, contextOf())).toEqual(success({ ok: undefined }))
  })

  it('turns an error into a failure', async () => {
    const tool = external(() => Promise.reject(new Error('the line\nis cut')))
    expect(await runTool([tool], 'far', {}, contextOf())).toEqual(
      failure('internal', 'The far tool failed: the line is cut'),
    )
  })

  it('says whether the user or the time limit ended a tool', async () => {
    const waits = external(
      (_input, { signal }) =>
        new Promise<Envelope>((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason as Error)
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    expect(await runTool([waits], 'far', {}, contextOf({ timeoutMs: 5 }))).toEqual(
      failure('timeout', 'Tool execution timed out after 0.005 seconds'),
    )
    for (const timeoutMs of [undefined, 60_000]) {
      const context = contextOf({ signal: AbortSignal.abort(), timeoutMs })
      expect(await runTool([waits], 'far', {}, context)).toEqual(
        failure('cancelled', 'Interrupted by the user'),
      )
      const user = new AbortController()
      const answer = runTool([waits], 'far', {}, contextOf({ signal: user.signal, timeoutMs }))
      user.abort()
      expect(await answer).toEqual(failure('cancelled', 'Interrupted by the user'))
    }
  })
})

describe('read', () => {
  it('says why it cannot read', async () => {
    mkdirSync(file('folder'))
    put('binary', Buffer.from([0xff, 0xfe]))
    expect(await run('read', { path: 'nope' })).toEqual(
      failure('path_error', `Path does not exist: ${file('nope')} (no such file or folder)`),
    )
    expect(await run('read', { path: 'folder' })).toEqual(
      failure('read_error', `Cannot read ${file('folder')}: it is a folder`),
    )
    expect(await run('read', { path: 'binary' })).toEqual(
      failure('read_error', `Cannot read ${file('binary')}: it is not UTF-8 text`),
    )
    expect(await run('read', { path: 'binary', offset: 1 })).toEqual(
      failure('read_error', `Cannot read ${file('binary')}: the lines are not UTF-8 text`),
    )
  })

  it('names the next offset of a cut text', async () => {
    put('long', `${'x'.repeat(99)}\n`.repeat(513))
    expect(await run('read', { path: 'long' })).toEqual(
      success({
        path: file('long'),
        content: `${'x'.repeat(99)}\n`.repeat(512),
        truncated: true,
        bytes: 51_300,
        next_offset: 513,
      }),
    )
  })

  it('returns a window of lines', async () => {
    put('a', 'one\ntwo\nthree\n')
    const data = { path: file('a'), truncated: false, bytes: 14, total_lines: 3 }
    expect(await run('read', { path: 'a', offset: 2 })).toEqual(
      success({ ...data, content: 'two\nthree\n', start_line: 2, end_line: 3 }),
    )
    expect(await run('read', { path: 'a', limit: 1 })).toEqual(
      success({ ...data, content: 'one\n', start_line: 1, end_line: 1 }),
    )
    put('wide', `${'x'.repeat(51_200)}\nb\n`)
    expect(await run('read', { path: 'wide', limit: 2 })).toMatchObject({
      data: { truncated: true, bytes: 51_203, end_line: 1, next_offset: 2 },
    })
  })

  it('prefers the text of the editor', async () => {
    put('a', 'stored')
    const editorFiles = { read: async () => 'edited\nb' }
    expect(await run('read', { path: 'a' }, { editorFiles })).toEqual(
      success({ path: file('a'), content: 'edited\nb', truncated: false, bytes: 8 }),
    )
    expect(await run('read', { path: 'a', offset: 2 }, { editorFiles })).toMatchObject({
      data: { content: 'b', bytes: 8, total_lines: 2 },
    })
    const none = { read: async () => undefined }
    expect(await run('read', { path: 'a' }, { editorFiles: none })).toMatchObject({
      data: { content: 'stored', bytes: 6 },
    })
    const large = { read: async () => 'y'.repeat(51_201) }
    expect(await run('read', { path: 'a' }, { editorFiles: large })).toMatchObject({
      data: { truncated: true, bytes: 51_201, content: 'y'.repeat(51_200) },
    })
  })

  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff'],
    ['image/gif', 'GIF87a'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF1234WEBP'],
  ])('returns an image of the type %s', async (mediaType, head) => {
    const bytes = Buffer.from(`${head} rest`, 'latin1')
    put('image', bytes)
    expect(await run('read', { path: 'image' })).toEqual({
      ...success({
        path: file('image'),
        content: `Image: ${mediaType}, ${bytes.length} bytes`,
        truncated: false,
        bytes: bytes.length,
        media_type: mediaType,
      }),
      images: [{ type: 'image', mediaType, data: bytes.toString('base64') }],
    })
  })

  it.each(['\x89PNG\r\n\x1a', '\xff\xd8', 'GIF88a', 'RIFF1234WEB', 'RIFX1234WEBP'])(
    'takes no image for one that begins with %j',
    async (head) => {
      put('image', Buffer.from(head, 'latin1'))
      const envelope = await run('read', { path: 'image' })
      expect('images' in envelope).toBe(false)
    },
  )

  it('shows an image of 5,000,000 bytes and no larger one', async () => {
    put('image', Buffer.from('GIF87a'))
    truncateSync(file('image'), 5_000_000)
    const shown = await run('read', { path: 'image' })
    expect(shown.ok && shown.images?.[0]?.data.length).toBe(Math.ceil(5_000_000 / 3) * 4)
    truncateSync(file('image'), 5_000_001)
    expect(await run('read', { path: 'image' })).toEqual(
      success({
        path: file('image'),
        content: 'Image: image/gif, 5000001 bytes, too large to show (at most 5000000 bytes)',
        truncated: true,
        bytes: 5_000_001,
        media_type: 'image/gif',
      }),
    )
  })
})

describe('write', () => {
  it('says why it cannot write', async () => {
    put('plain', 'x')
    mkdirSync(file('folder'))
    expect(await run('write', { path: 'plain/x', content: '' })).toEqual(
      failure('mkdir_error', `Cannot create the folder ${file('plain')}: it already exists`),
    )
    expect(await run('write', { path: 'folder', content: '' })).toEqual(
      failure('write_error', `Cannot write ${file('folder')}: it is a folder`),
    )
    const beforeChange = async () => ({ ok: false, reason: 'it is locked' }) as const
    expect(await run('write', { path: 'plain', content: '' }, { beforeChange })).toEqual(
      failure('write_error', `Cannot write ${file('plain')}: it is locked`),
    )
    expect(readFileSync(file('plain'), 'utf8')).toBe('x')
  })

  it('reports each change before it happens', async () => {
    const changes: FileChange[] = []
    const beforeChange = async (change: FileChange) => {
      changes.push({ ...change, after: Buffer.from(change.after) })
      return { ok: true } as const
    }
    put('a', 'x')
    symlinkSync('a', file('link'))
    await run('write', { path: 'link', content: 'y' }, { beforeChange })
    await run('write', { path: 'b/c', content: 'z' }, { beforeChange })
    await run('edit', { path: 'a', old: 'y', new: 'w' }, { beforeChange })
    const change = { callId: 'c1', tool: 'write' }
    expect(changes).toEqual([
      { ...change, path: file('a'), exists: true, after: Buffer.from('y') },
      {
        ...change,
        path: file('b/c'),
        exists: false,
        after: Buffer.from('z'),
        folders: [file('b')],
      },
      { ...change, tool: 'edit', path: file('a'), exists: true, after: Buffer.from('w') },
    ])
  })

  it('writes through the editor', async () => {
    const written: string[] = []
    const editorFiles = {
      write: async (target: string, text: string) => void written.push(target, text),
    }
    expect(await run('write', { path: 'a', content: 'é' }, { editorFiles })).toEqual(
      success({ path: file('a'), bytes: 2, created: true }),
    )
    expect(written).toEqual([file('a'), 'é'])
    expect(existsSync(file('a'))).toBe(false)
  })

  it('refuses a file without the permission to write', async () => {
    put('a', 'x')
    chmodSync(file('a'), 0o444)
    const isRoot = process.getuid?.() === 0
    expect(await run('write', { path: 'a', content: 'y' })).toEqual(
      isRoot
        ? success({ path: file('a'), bytes: 1, created: false })
        : failure('write_error', `Cannot write ${file('a')}: permission denied`),
    )
  })

  it('writes to a pipe without a report of the change', async () => {
    execFileSync('mkfifo', [file('pipe')])
    let reports = 0
    const beforeChange = async () => ((reports += 1), { ok: true }) as { ok: true }
    const [written, command] = await Promise.all([
      run('write', { path: 'pipe', content: 'x' }, { beforeChange }),
      run('bash', { command: 'cat pipe' }),
    ])
    expect(written).toEqual(success({ path: file('pipe'), bytes: 1, created: false }))
    expect(command).toMatchObject({ data: { stdout: 'x' } })
    expect(reports).toBe(0)
  })
})
