// `zeno serve`: process behaviour and request envelope. Every request gets one ASCII answer, in order.
import { spawn } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import type { Ran } from '../../support/run-program.ts'
import { runCommandHere } from '../run-here.ts'
import type { Client, Json, Reply, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox({
    'a.txt': 'one\ntwo\nthree\n',
    'src/b.py': 'def f():\n    pass\n',
    'u.md': 'x\u2028y \u00e9 \u{1f600} \u0085 \u007f\n',
  })
  client = box.server()
})
afterAll(() => box.remove())

function expectRejected(ran: Ran): void {
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(/^zeno: [^\n]+\n$/)
}

const stat = { path: 'a.txt' }
const isAlive = async (): Promise<boolean> => (await client.ask('stat', stat)).ok
async function raw(line: string | Uint8Array): Promise<Reply> {
  client.write(line)
  return client.next()
}

describe('the command line of zeno serve', () => {
  it('prints help and exits 0', async () => {
    const ran = await box.zeno(['serve', '--help'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    for (const flag of ['--root', '--log', '--hash', '--budget']) expect(ran.stdout).toContain(flag)
  })

  it.each([
    [['--root']],
    [['--root', '']],
    [['--root', '.', '--nope']],
    [['--root', '.', 'surplus']],
    [['--root', '.', '--log', '']],
    [['--root', '/nonexistent-zeno-root']],
    [['--root', '/dev/null']],
    [['--root', '.', '--budget', 'ops=many']],
    [['--root', '.', '--budget', 'ops=1,ops=2']],
    [['--root', '.', '--budget', 'wishes=3']],
  ])('rejects %j with exit 2 and one line on stderr', async (args) => {
    expectRejected(await runCommandHere('zeno', ['serve', ...args], { cwd: box.base }))
  })

  it('rejects a missing root with exit 2 and one line on stderr', async () => {
    expectRejected(await box.zeno(['serve']))
  })

  it('accepts --root=value, a relative root, a trailing slash and a link to a folder', async () => {
    symlinkSync(box.root, path.join(box.base, 'link'))
    const input = '{"id":1,"op":"stat","args":{"path":"a.txt"}}\n'
    for (const root of [`--root=${box.root}/`, '--root=root', '--root=link']) {
      const ran = await box.zeno(['serve', root], { input })
      expect(JSON.parse(ran.stdout)).toMatchObject({ id: 1, ok: true })
    }
  })

  it('serves the file system root /', async () => {
    const other = box.server([], '/')
    const { items } = await other.ok('stat', { paths: ['tmp', box.root] })
    expect(items).toMatchObject([{ path: 'tmp', is_dir: true }, { path: box.root.slice(1) }])
  })
})

describe('the request envelope', () => {
  it('answers with id, ok and result, or with id, ok and error', async () => {
    const good = await client.ask('stat', stat, 'x')
    expect(Object.keys(good)).toEqual(['id', 'ok', 'result'])
    const bad = await client.ask('foo', {}, 'y')
    expect(bad).toEqual({ id: 'y', ok: false, error: { message: 'unknown op: foo' } })
  })

  it.each(['', ' ', '\u00e9\u2028"\\\n\t', '\u{1f600}', '__proto__', 'x'.repeat(5000)])(
    'echoes the id %j exactly',
    async (id) => expect((await client.ask('stat', stat, id)).id).toBe(id),
  )

  it.each([42, 0, -1.5, true, false, null, ['a', { b: 1 }], { a: null }])(
    'echoes an id of any JSON type: %j',
    async (id) => expect((await client.ask('stat', stat, id)).id).toEqual(id),
  )

  it('answers a missing id with null', async () => {
    expect(await raw('{"op":"stat","args":{"path":"a.txt"}}\n')).toMatchObject({
      id: null,
      ok: true,
    })
  })

  it.each([undefined, null, [], '', 0, false])('treats args %j as empty', async (args) => {
    const { result } = await client.ask('list_files', args)
    expect(result.files).toHaveLength(3)
  })

  it.each([['x'], 'text', 7, true])('rejects args %j', async (args) => {
    expect(await client.fails('stat', args)).toBe('args must be an object')
  })

  it.each([
    ['foo', 'foo'],
    ['', ''],
    ['Stat', 'Stat'],
    ['stat ', 'stat '],
    ['LIST_FILES', 'LIST_FILES'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['hasOwnProperty', 'hasOwnProperty'],
    [null, 'None'],
    [5, '5'],
    [['stat'], '["stat"]'],
    [{ a: 1 }, '{"a":1}'],
  ])('answers the unknown op %j with its name', async (op, shown) => {
    expect(await client.fails(op, {})).toBe(`unknown op: ${shown}`)
    expect(await isAlive()).toBe(true)
  })

  it('names a missing op None, a long op in full, and cuts an extremely long one', async () => {
    expect((await raw('{"id":"m"}\n')).error.message).toBe('unknown op: None')
    expect(await client.fails('x'.repeat(10_000))).toBe(`unknown op: ${'x'.repeat(10_000)}`)
    expect((await client.fails('x'.repeat(1_000_000))).length).toBeLessThan(100_000)
  })

  it.each(['[1,2]', '5', '"hi"', 'null', 'true', '[]'])(
    'answers the line %s with an error',
    async (line) => {
      expect(await raw(`${line}\n`)).toMatchObject({ id: null, ok: false })
      expect(await isAlive()).toBe(true)
    },
  )

  it.each(['{"id":"x", nope', '{', 'stat', '{"id":1}{"id":2}', "{'id':1}", '\u0000'])(
    'answers the bad JSON %j with an error and id null',
    async (line) => {
      const reply = await raw(`${line}\n`)
      expect(reply).toMatchObject({ id: null, ok: false })
      expect(reply.error.message).not.toBe('')
      expect(await isAlive()).toBe(true)
    },
  )

  it('ignores unknown fields and arguments, including __proto__', async () => {
    const line = '{"id":"u","v":2,"op":"stat","args":{"path":"a.txt","zzz":1},"extra":{}}\n'
    expect(await raw(line)).toMatchObject({ ok: true })
    const evil = '{"id":"p","op":"list_files","args":{"__proto__":{"max":1,"glob":"zzz"}}}\n'
    expect((await raw(evil)).result.files).toHaveLength(3)
    expect((await client.ok('list_files')).files).toHaveLength(3)
  })

  it('answers in plain ASCII for any file content and id', async () => {
    client.send('read_file', { path: 'u.md' }, '\u00e9\u{10ffff}')
    const line = await client.nextLine()
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    const reply = JSON.parse(line) as Reply
    expect(reply.id).toBe('\u00e9\u{10ffff}')
    expect(reply.result.text).toBe('x\u2028y \u00e9 \u{1f600} \u0085 \u007f')
    client.send('nope\u2028', {})
    expect(await client.nextLine()).toMatch(/^[\x20-\x7e]*$/)
  })

  it('skips blank lines and accepts CRLF', async () => {
    client.write('\n   \n\t\n\r\n')
    expect(await raw('{"id":"after","op":"stat","args":{"path":"a.txt"}}\r\n')).toMatchObject({
      id: 'after',
      ok: true,
    })
  })

  it('accepts a request that arrives byte by byte, split inside a character', async () => {
    for (const byte of Buffer.from(
      `{"id":"\u00e9\u{1f600}","op":"stat","args":{"path":"a.txt"}}\n`,
    )) {
      client.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await client.next()).toMatchObject({ id: '\u00e9\u{1f600}', ok: true })
  })

  it('answers invalid UTF-8 with an error and the id, if it has one', async () => {
    expect(await raw(Buffer.from([0xff, 0xfe, 0x7b, 0x0a]))).toMatchObject({ id: null, ok: false })
    const line = Buffer.concat([
      Buffer.from('{"id":"k","op":"stat","args":{"path":"a'),
      Buffer.from([0xff]),
      Buffer.from('"}}\n'),
    ])
    const reply = await raw(line)
    expect(reply).toMatchObject({ id: 'k', ok: false, error: { message: /UTF-8/ } })
    expect(await isAlive()).toBe(true)
  })

  it.each([
    ['open brackets', '['.repeat(200_000)],
    ['closed brackets', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['args', `{"id":"d","op":"stat","args":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`],
    ['id', `{"id":${'['.repeat(200_000)}${']'.repeat(200_000)},"op":"stat"}`],
    ['objects', `{"id":"d","op":"stat","args":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['op', `{"id":"d","op":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('answers excessive nesting in %s with an error', async (_name, line) => {
    expect(await raw(`${line}\n`)).toMatchObject({ ok: false })
    expect(await isAlive()).toBe(true)
  })

  it('answers a request line of 10 MB', { timeout: 180_000 }, async () => {
    const pad = 'x'.repeat(10 * 1024 * 1024)
    expect(
      await raw(`${JSON.stringify({ id: 'big', op: 'stat', args: stat, pad })}\n`),
    ).toMatchObject({
      id: 'big',
      ok: true,
    })
    expect((await client.ok('grep', { pattern: pad.slice(0, 1 << 20) })).hits).toEqual([])
    expect(await raw(`${pad}\n`)).toMatchObject({ ok: false })
    expect(await isAlive()).toBe(true)
  })

  it(
    'answers an oversized line with an error and continues with the next',
    { timeout: 180_000 },
    async () => {
      const chunk = 'y'.repeat(8 * 1024 * 1024)
      for (let index = 0; index < 9; index++) client.write(chunk)
      client.write('\n')
      const reply = await client.next(120_000)
      expect(reply).toMatchObject({ id: null, ok: false })
      expect(reply.error.message).toContain('longer')
      expect(await isAlive()).toBe(true)
    },
  )
})

describe('zeno serve', () => {
  it('answers in request order when a fast request follows a slow one', async () => {
    const n = 300
    for (let index = 0; index < n; index++) {
      if (index % 3 === 0) client.send('grep', { pattern: 'o', regex: true }, index)
      else if (index % 3 === 1) client.send('stat', stat, index)
      else client.send('nope', {}, index)
    }
    for (let index = 0; index < n; index++) expect((await client.next()).id).toBe(index)
  })

  it('answers thousands of pipelined requests in bounded memory', async () => {
    const n = process.env.ZEE_ROUNDS === undefined ? 3000 : 10_000
    const other = box.server()
    const line = (id: number): string =>
      id % 10 === 3
        ? `{"id":${id},"op":"nope"}\n`
        : `{"id":${id},"op":"read_file","args":{"path":"a.txt","start_line":2}}\n`
    const feed = (from: number): void => {
      const ids = Array.from({ length: 500 }, (_, index) => from + index)
      const took = other.child.stdin.write(ids.map(line).join(''))
      const next = from + ids.length
      if (next >= n) other.child.stdin.end()
      else if (took) setImmediate(feed, next)
      else other.child.stdin.once('drain', () => feed(next))
    }
    feed(0)
    expect(await other.exited).toEqual({ code: 0, signal: null })
    expect(other.lines).toHaveLength(n)
    const wrong = other.lines.findIndex((line, index) => {
      const reply = JSON.parse(line) as Reply
      return reply.id !== index || (index % 10 === 3 ? reply.ok : reply.result.text !== 'two')
    })
    expect(wrong).toBe(-1)
  }, 120_000)

  it('answers all requests before the end of input, then exits 0', async () => {
    const other = box.server()
    for (let index = 0; index < 100; index++) other.send('read_file', { path: 'a.txt' }, index)
    expect(await other.end()).toEqual({ code: 0, signal: null })
    expect(other.lines).toHaveLength(100)
    expect(other.stderr).toBe('')
  })

  it('answers a last line without a newline and prints nothing for empty input', async () => {
    const line = '{"id":"last","op":"stat","args":{"path":"a.txt"}}'
    const ran = await box.zeno(['serve', '--root', box.root], { input: line })
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'last', ok: true })
    expect(await box.zeno(['serve', '--root', box.root], { input: '' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'dies of %s at once, also during a catastrophic regex',
    async (signal) => {
      const idle = box.server()
      await idle.ok('stat', stat)
      idle.child.kill(signal)
      expect(await idle.exited).toEqual({ code: null, signal })
      const busy = box.server()
      writeFileSync(path.join(box.root, 'evil.txt'), `${'a'.repeat(40)}!x\n`)
      await busy.ok('stat', stat)
      busy.send('grep', { pattern: '(?=(a+)+$)x', regex: true, paths: ['evil.txt'] })
      await new Promise((resolve) => setTimeout(resolve, 50))
      busy.child.kill(signal)
      expect(await busy.exited).toEqual({ code: null, signal })
      // It did not wait for the deadline of the search.
      expect(busy.lines).toHaveLength(1)
    },
  )

  it('exits quietly when its standard output is closed', async () => {
    const other = box.server()
    await other.ok('stat', stat)
    other.child.stdout.destroy()
    for (let index = 0; index < 200; index++) other.send('stat', stat)
    const end = await other.exited
    expect(end.signal).toBeNull()
    expect(other.stderr).toBe('')
  })

  it('applies back-pressure for a slow reader and loses no answer', async () => {
    const child = spawn(builtProgram('zeno'), ['serve', '--root', box.root], { stdio: 'pipe' })
    const big = 'z'.repeat(200_000)
    writeFileSync(path.join(box.root, 'wide.txt'), `${big}\n`)
    const n = 60
    for (let index = 0; index < n; index++) {
      child.stdin.write(`{"id":${index},"op":"read_file","args":{"path":"wide.txt"}}\n`)
    }
    child.stdin.end()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as Json).id)).toEqual(
      Array.from({ length: n }, (_, index) => index),
    )
  })

  it('returns identical bytes for identical requests, except time_ms', async () => {
    const requests: [string, Json][] = [
      ['list_files', {}],
      ['read_file', { path: 'a.txt', end_line: 3, hash: true }],
      ['peek', { path: 'a.txt' }],
      ['grep', { pattern: 'o', context: 1 }],
      ['extract_symbols', { path: 'src/b.py' }],
      ['stat', { paths: ['a.txt', 'src', 'zz'] }],
      ['summary', {}],
      ['chunks', { max_chars: 5 }],
      ['read_many', { reads: [{ path: 'a.txt' }, { path: 'zz' }] }],
    ]
    for (const [op, args] of requests) {
      const lines: string[] = []
      for (let round = 0; round < 2; round++) {
        client.send(op, args, 'same')
        lines.push((await client.nextLine()).replaceAll(/"time_ms":\d+/g, '"time_ms":0'))
      }
      expect(lines[0]).toBe(lines[1])
      expect(lines[0]).toContain('"ok":true')
    }
  })
})
