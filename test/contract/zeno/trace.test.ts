// The trace log of `zeno serve --log`: its events, durability and redaction.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'

let box: Sandbox
let log: string
beforeEach(() => {
  box = createSandbox({ 'a.txt': 'one\ntwo\nthree\n', 'src/b.py': 'def f():\n    pass\n' })
  log = path.join(box.base, 'trace.jsonl')
})
afterEach(() => box.remove())

const traced = (...args: string[]): Client => box.server(['--log', log, ...args])
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe('the trace', () => {
  it('has a request event before and a response event after each answer', async () => {
    const client = traced()
    await client.ask('list_files', { glob: '*.py', max: 5 }, 'r1')
    await client.ask('read_file', { path: 'a.txt', start_line: 1, end_line: 2 }, 'r2')
    await client.end()
    const [request, response, , read, ...rest] = readEvents(log)
    expect(rest).toEqual([])
    expect(request).toEqual({
      ts: expect.stringMatching(iso),
      event: 'request',
      id: 'r1',
      op: 'list_files',
      args: { glob: '*.py', max: 5 },
    })
    expect(response).toMatchObject({
      ts: expect.stringMatching(iso),
      event: 'response',
      id: 'r1',
      op: 'list_files',
      summary: { truncated: false, count: 1, metrics: { bytes_read: 0, files_scanned: 2 } },
    })
    expect(read).toMatchObject({
      event: 'response',
      summary: { count: null, truncated: false, metrics: { lines_returned: 2 } },
    })
  })

  it('records the length of the result list as count, and 0 as null', async () => {
    const client = traced()
    await client.ask('grep', { pattern: 't', paths: ['a.txt'] })
    await client.ask('grep', { pattern: 'zzz' })
    await client.ask('stat', { paths: ['a.txt', 'src'] })
    await client.ask('peek', { path: 'a.txt' })
    await client.ask('chunks', {})
    await client.ask('read_many', { reads: [{ path: 'a.txt' }] })
    await client.ask('summary', {})
    await client.end()
    const responses = readEvents(log).filter(({ event }) => event === 'response')
    const summaries = responses.map(({ op, summary }) => {
      const { count, truncated } = summary as Json
      return [op, count, truncated]
    })
    expect(summaries).toEqual([
      ['grep', 2, false],
      ['grep', null, false],
      ['stat', 2, null],
      ['peek', null, null],
      ['chunks', 1, false],
      ['read_many', 1, false],
      ['summary', null, null],
    ])
  })

  it('has a request and an error event for a failed operation, without op', async () => {
    const client = traced()
    await client.ask('foo', { a: 1 }, 'e1')
    await client.ask('read_file', { path: '../x' }, 'e2')
    await client.ask('stat', 'text', 'e3')
    await client.end()
    const events = readEvents(log)
    expect(events.map(({ event }) => event)).toEqual(
      Array.from({ length: 3 }, () => ['request', 'error']).flat(),
    )
    expect(events[1]).toEqual({
      ts: expect.stringMatching(iso),
      event: 'error',
      id: 'e1',
      error: { message: 'unknown op: foo' },
    })
    expect(events[3]).toMatchObject({ id: 'e2', error: { message: 'path outside root' } })
    expect(events[4]).toMatchObject({ args: 'text' })
  })

  it('has an error event for an invalid request line', async () => {
    const client = traced()
    for (const line of ['{nope', '[1]', 'null']) client.write(`${line}\n`)
    client.write(Buffer.from([0xff, 0x0a]))
    client.write(`{"id":"deep","op":"stat","args":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}\n`)
    await client.end()
    const events = readEvents(log)
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['error', null],
      ['error', null],
      ['error', null],
      ['error', null],
      ['error', 'deep'],
    ])
  })

  it('is one ASCII object per line', async () => {
    const client = traced()
    await client.ask('grep', { pattern: '\u00e9\u2028\u{1f600}' }, '\u00e9')
    await client.end()
    expect(readFileSync(log, 'utf8')).toMatch(/^[\x20-\x7e\n]*$/)
    expect(readEvents(log)[0]).toMatchObject({
      id: '\u00e9',
      args: { pattern: '\u00e9\u2028\u{1f600}' },
    })
  })

  it('is on disk before the next request and complete after SIGKILL', async () => {
    const client = traced()
    for (let index = 0; index < 20; index++) {
      await client.ok('stat', { path: 'a.txt' })
      expect(readEvents(log).length).toBeGreaterThanOrEqual(index * 2 + 1)
    }
    client.child.kill('SIGTERM')
    await client.exited
    expect(readEvents(log).length).toBeGreaterThanOrEqual(39)
  })

  it('pairs 500 pipelined requests by id', async () => {
    const client = traced()
    for (let index = 0; index < 500; index++)
      client.send('read_file', { path: 'a.txt' }, `p${index}`)
    await client.end()
    const events = readEvents(log)
    const ids = (kind: string) => events.filter(({ event }) => event === kind).map(({ id }) => id)
    const expected = Array.from({ length: 500 }, (_, index) => `p${index}`)
    expect(ids('request')).toEqual(expected)
    expect(ids('response')).toEqual(expected)
  })

  it('is appended to on a new line after a torn line', async () => {
    writeFileSync(log, '{"old":1}\n{"torn')
    const client = traced()
    await client.ok('stat', { path: 'a.txt' })
    await client.end()
    const lines = readFileSync(log, 'utf8').split('\n')
    expect(lines.slice(0, 2)).toEqual(['{"old":1}', '{"torn'])
    expect(lines.slice(2, 4).map((line) => (JSON.parse(line) as Json).event)).toEqual([
      'request',
      'response',
    ])
  })

  it('creates its folder and a file that only the owner can read', async () => {
    log = path.join(box.base, 'no/such/folder/t.jsonl')
    const client = traced()
    await client.ok('stat', { path: 'a.txt' })
    await client.end()
    expect(readEvents(log)).toHaveLength(2)
    expect(statSync(log).mode & 0o077).toBe(0)
  })

  it('fails at start with exit 2 if it cannot be written', async () => {
    mkdirSync(log)
    const ran = await box.zeno(['serve', '--root', box.root, '--log', log])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^zeno: [^\n]+\n$/)
  })

  it('reports a full disk once and the server keeps answering', async () => {
    if (!existsSync('/dev/full')) return
    const client = box.server(['--log', '/dev/full'])
    for (let index = 0; index < 5; index++) await client.ok('stat', { path: 'a.txt' })
    expect(await client.end()).toEqual({ code: 0, signal: null })
    expect(client.stderr).toMatch(/^zeno: the trace is incomplete: [^\n]+\n$/)
  })

  it.each(['trace.jsonl', 'sub/dir/trace.jsonl', 'link/trace.jsonl'])(
    'is neither listed, searched nor counted at %s inside the root',
    async (name) => {
      mkdirSync(path.join(box.root, 'real'))
      symlinkSync('real', path.join(box.root, 'link'))
      log = path.join(box.root, name)
      const client = traced()
      const before = await client.ok('list_files', {})
      expect((await client.ok('grep', { pattern: 'needle-zq' })).hits).toEqual([])
      expect((await client.ok('grep', { pattern: 'needle-zq' })).hits).toEqual([])
      expect((await client.ok('list_files', {})).files).toEqual(before.files)
      expect(before.files).toEqual(['a.txt', 'src/b.py'])
      expect((await client.ok('summary', {})).files).toBe(2)
      const { chunks } = await client.ok('chunks', {})
      expect((chunks as { parts: Json[] }[]).flatMap(({ parts }) => parts)).toHaveLength(2)
      expect(readEvents(log).length).toBeGreaterThan(8)
    },
  )

  it('redacts secrets in requests', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ'
    const client = traced()
    await client.ok('grep', { pattern: secret })
    await client.ask(secret, {})
    await client.end()
    expect(readFileSync(log, 'utf8')).not.toContain(secret)
    expect(readEvents(log)[0]).toMatchObject({ event: 'request', redacted: [expect.any(String)] })
  })
})

describe('agent events', () => {
  it('are written by the event operation with their own fields', async () => {
    const client = traced()
    const fields = { call_id: 'c1', parent_id: null, depth: 1, prompt_chars: 900, paths: ['a.txt'] }
    const result = await client.ok('event', { event: 'subcall_start', ...fields })
    expect(result.metrics).toMatchObject({ bytes_read: 0, files_scanned: 0 })
    await client.ok('event', { event: 'subcall_end', call_id: 'c1', ok: true, ms: 5 })
    await client.ok('event', { event: 'claim', claim_id: 'C1', evidence: ['E1'], ts: 'x' })
    await client.end()
    const own = readEvents(log).filter(
      ({ event }) => !['request', 'response'].includes(event as string),
    )
    expect(own).toEqual([
      { ts: expect.stringMatching(iso), event: 'subcall_start', ...fields },
      { ts: expect.stringMatching(iso), event: 'subcall_end', call_id: 'c1', ok: true, ms: 5 },
      { ts: expect.stringMatching(iso), event: 'claim', claim_id: 'C1', evidence: ['E1'] },
    ])
  })

  it('may not use reserved names or an empty name', async () => {
    const client = traced()
    for (const event of ['request', 'response', 'error']) {
      expect(await client.fails('event', { event })).toContain(event)
    }
    for (const event of ['', null, 5, undefined]) {
      expect(await client.fails('event', { event })).toBe('missing event')
    }
  })

  it('are refused without --log', async () => {
    const client = box.server()
    expect(await client.fails('event', { event: 'claim' })).toMatch(/--log/)
  })
})
