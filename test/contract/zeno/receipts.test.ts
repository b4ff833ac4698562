// Receipts: `zeno replay` of traces, `zeno verify` of evidence, and determinism.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
const sha = (lines: readonly string[]) =>
  `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`
let box: Sandbox
beforeEach(() => {
  box = createSandbox({ 'a.txt': `${text.join('\n')}\n`, 'b.txt': 'needle here\n' })
})
afterEach(() => box.remove())

describe('zeno replay', () => {
  const log = () => path.join(box.base, 'trace.jsonl')
  const replay = (...args: string[]) =>
    box.zeno(['replay', '--root', box.root, '--log', log(), ...args])

  async function record(...args: string[]): Promise<void> {
    const client = box.server(['--log', log(), ...args])
    await client.ask('list_files', {}, 'r1')
    await client.ask('read_file', { path: 'a.txt', start_line: 3, end_line: 5 }, 'r2')
    await client.ask('grep', { pattern: 'needle' }, 'r3')
    await client.ask('read_file', { path: 'nowhere' }, 'r4')
    await client.ask('read_many', { reads: [{ path: 'a.txt' }] }, 'r5')
    await client.ask('event', { event: 'claim', claim: 'x' }, 'r6')
    await client.end()
  }

  it('skips index_stats requests', async () => {
    const client = box.server(['--log', log()])
    await client.ok('list_files')
    await client.ok('index_stats')
    await client.end()
    expect(await replay()).toMatchObject({
      code: 0,
      stdout: '1 replayed, 0 different, 1 skipped\n',
    })
  })

  it('prints a difference on one line for a request id with a newline', async () => {
    const client = box.server(['--log', log()])
    await client.ask('stat', { path: 'a.txt' }, 'two\nlines')
    await client.end()
    utimesSync(path.join(box.root, 'a.txt'), 1, 1)
    const { stdout } = await replay()
    expect(stdout).toBe('line 1 two lines stat: the result differs\n1 replayed, 1 different\n')
  })

  it('prints 0 different and exits 0 for an unchanged corpus', async () => {
    await record()
    expect(await replay()).toMatchObject({
      code: 0,
      stdout: '5 replayed, 0 different, 1 skipped\n',
      stderr: '',
    })
  })

  it('prints every difference and exits 1', async () => {
    await record()
    writeFileSync(path.join(box.root, 'b.txt'), 'needle here\nneedle there\n')
    writeFileSync(path.join(box.root, 'nowhere'), 'now it is\n')
    const ran = await replay()
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/r1 list_files: count 2 is now 3/)
    expect(ran.stdout).toMatch(/r3 grep: count 1 is now 2/)
    expect(ran.stdout).toMatch(/r4 read_file: error .* is now null/)
    expect(ran.stdout).toMatch(/\n5 replayed, 3 different, 1 skipped\n$/)
  })

  it('detects a change that alters no count or metric', async () => {
    await record()
    const changed = text.with(3, 'LINE 4')
    writeFileSync(path.join(box.root, 'a.txt'), `${changed.join('\n')}\n`)
    const ran = await replay()
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/r2 read_file: the result differs\n/)
  })

  it('replays traces recorded with --hash and --budget', async () => {
    await record('--hash', '--budget', 'ops=4,lines=2')
    const ran = await replay()
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/^\d replayed, 0 different, \d skipped\n$/)
  })

  it('replays a trace inside the root and skips requests without an answer', async () => {
    const client = box.server(['--log', path.join(box.root, 'in.jsonl')])
    await client.ask('grep', { pattern: 'needle' })
    await client.ask('list_files', {})
    await client.end()
    const inside = path.join(box.root, 'in.jsonl')
    writeFileSync(inside, '{"event":"request","id":"cut","op":"stat","args":{}}\n{"to', {
      flag: 'a',
    })
    const ran = await box.zeno(['replay', '--root', box.root, '--log', inside])
    expect(ran).toMatchObject({ code: 0, stdout: '2 replayed, 0 different, 1 skipped\n' })
  })

  it('prints one object per difference and the totals with --json', async () => {
    await record()
    rmSync(path.join(box.root, 'b.txt'))
    const ran = await replay('--json')
    const rows = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json)
    expect(rows).toContainEqual(
      expect.objectContaining({ id: 'r3', op: 'grep', what: 'count', was: 1, is: null }),
    )
    expect(rows.at(-1)).toEqual({ replayed: 5, different: 2, skipped: 1 })
  })

  it('exits 2 if the trace is missing', async () => {
    expect(await replay()).toMatchObject({ code: 2, stdout: '' })
    expect(await box.zeno(['replay', '--root', box.root])).toMatchObject({ code: 2 })
  })
})

describe('zeno verify', () => {
  async function verify(rows: (Json | string)[], ...args: string[]) {
    const file = path.join(box.base, 'evidence.jsonl')
    const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    return box.zeno(['verify', '--root', box.root, '--evidence', file, ...args])
  }
  const read = (fields: Json = {}): Json => ({
    evidence_id: 'E1',
    kind: 'read',
    path: 'a.txt',
    lines: [3, 5],
    hash: sha(text.slice(2, 5)),
    ...fields,
  })
  const grep = (fields: Json = {}): Json => ({
    evidence_id: 'G1',
    kind: 'grep',
    pattern: 'needle',
    hit: 'b.txt:L1',
    ...fields,
  })

  it('reports ok for lines with a matching hash, and unhashed for lines without one', async () => {
    const hashed = [read(), read({ hash: sha(text.slice(2, 5)).slice(7) })]
    const ran = await verify(hashed)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toBe('ok      E1 a.txt:3-5\n'.repeat(2))
    const unhashed = await verify([read({ hash: '' }), grep()])
    expect(unhashed).toMatchObject({
      code: 1,
      stdout: 'unhashed E1 a.txt:3-5 has no hash\nunhashed G1 b.txt:1 has no hash\n',
    })
  })

  it('finds the text of a renamed file, also at other lines', async () => {
    const file = path.join(box.root, 'a.txt')
    rmSync(file)
    mkdirSync(path.join(box.root, 'new'))
    writeFileSync(path.join(box.root, 'new/a.txt'), `first\n${text.join('\n')}\n`)
    expect(await verify([read()])).toMatchObject({
      code: 1,
      stdout: 'moved   E1 a.txt:3-5 moved: new/a.txt:4-6\n',
    })
  })

  it('accepts the hash that the server returned', async () => {
    const client = box.server()
    const given = await client.ok('read_file', {
      path: 'a.txt',
      start_line: 2,
      end_line: 9,
      hash: true,
    })
    expect(await verify([read({ lines: [2, 9], hash: given.sha256 })])).toMatchObject({ code: 0 })
  })

  it('reports moved for the same text at other lines', async () => {
    writeFileSync(path.join(box.root, 'a.txt'), `new\nnew\n${text.join('\n')}\n`)
    const ran = await verify([read()])
    expect(ran).toMatchObject({ code: 1, stdout: 'moved   E1 a.txt:3-5 moved: a.txt:5-7\n' })
    writeFileSync(path.join(box.root, 'a.txt'), `${text.slice(2).join('\n')}\n`)
    expect((await verify([read()])).stdout).toContain('moved: a.txt:1-3')
  })

  it('reports changed if the text is gone or the file is shorter', async () => {
    writeFileSync(path.join(box.root, 'a.txt'), `${text.with(3, 'other').join('\n')}\n`)
    expect(await verify([read()])).toMatchObject({
      code: 1,
      stdout: 'changed E1 a.txt:3-5 the text differs\n',
    })
    const short = await verify([read({ hash: '', lines: [3, 99] })])
    expect(short).toMatchObject({
      code: 1,
      stdout: 'changed E1 a.txt:3-99 the file has 20 lines\n',
    })
  })

  it('reports missing for a file that does not exist', async () => {
    rmSync(path.join(box.root, 'a.txt'))
    const ran = await verify([read()])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/^missing E1 a\.txt:3-5 \[Errno 2\]/)
  })

  it('requires grep evidence to match on its line, as text or as regex', async () => {
    const rows = [
      grep({ pattern: 'ne+dle\\s+h' }),
      grep({ pattern: 'needle (', regex: false }),
      grep({ hash: sha(['needle here']) }),
      grep({ hash: sha(['something else']) }),
      grep({ hit: 'b.txt:L2' }),
      grep({ hit: 'nowhere:L1' }),
    ]
    const { code, stdout } = await verify(rows)
    expect(code).toBe(1)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['unhashed', 'changed', 'ok', 'changed', 'moved', 'missing'])
    expect(stdout).toContain('moved   G1 b.txt:2 moved: b.txt:1\n')
  })

  it('checks grep evidence in hidden and excluded folders and in long lines', async () => {
    mkdirSync(path.join(box.root, 'node_modules'))
    writeFileSync(path.join(box.root, 'node_modules/.x.js'), 'needle\n')
    const long = `${'y'.repeat(50_000)}needle`
    writeFileSync(path.join(box.root, 'long.txt'), `${long}\n`)
    const rows = [
      grep({ hit: 'node_modules/.x.js:L1', hash: sha(['needle']) }),
      grep({ hit: 'long.txt:L1', hash: sha([long]) }),
    ]
    expect(await verify(rows)).toMatchObject({ code: 0 })
  })

  it('never leaves the root', async () => {
    writeFileSync(path.join(box.base, 'secret.txt'), 'needle\n')
    symlinkSync('../secret.txt', path.join(box.root, 'escape'))
    const rows = [
      read({ path: '../secret.txt', lines: [1, 1], hash: '' }),
      read({ path: 'escape', lines: [1, 1], hash: '' }),
      grep({ hit: '../secret.txt:L1' }),
      grep({ hit: 'escape:L1' }),
    ]
    const { code, stdout } = await verify(rows)
    expect(code).toBe(1)
    expect(stdout.match(/^invalid .*path outside root$/gm)).toHaveLength(4)
  })

  it('reports invalid for unknown kinds, missing fields and invalid JSON', async () => {
    const rows = [
      { evidence_id: 'X', kind: 'guess' },
      read({ path: '' }),
      read({ lines: [5, 3] }),
      read({ lines: [0, 3] }),
      read({ lines: [1, 2, 3] }),
      read({ lines: 'all' }),
      read({ hash: 'md5:abc' }),
      grep({ pattern: '' }),
      grep({ hit: 'b.txt' }),
      grep({ hit: 'b.txt:L0' }),
      '{torn',
    ]
    const { code, stdout } = await verify(rows)
    expect(code).toBe(1)
    expect(stdout.match(/^invalid /gm)).toHaveLength(rows.length)
  })

  it('prints one line per row for ids and paths with newlines', async () => {
    const { stdout } = await verify([read({ evidence_id: 'E\n1', path: 'no\n.txt' }), read()])
    expect(stdout).toMatch(/^moved {3}E 1 no .txt:[^\n]* moved: a.txt:3-5\nok {6}E1 a.txt:3-5\n$/)
  })

  it('prints one object per row with --json', async () => {
    const ran = await verify([read()], '--json')
    expect(JSON.parse(ran.stdout)).toEqual({
      line: 1,
      evidence_id: 'E1',
      status: 'ok',
      at: 'a.txt:3-5',
    })
  })

  it('exits 2 if the ledger or the root does not exist', async () => {
    const missing = ['--evidence', '/nowhere.jsonl']
    expect(await box.zeno(['verify', '--root', box.root, ...missing])).toMatchObject({ code: 2 })
    expect(await box.zeno(['verify', '--root', '/nowhere', ...missing])).toMatchObject({ code: 2 })
    expect(await box.zeno(['verify'])).toMatchObject({ code: 2 })
  })
})

describe('zeno lint', () => {
  it('prints a finding on one line for an evidence id with a newline', async () => {
    const file = path.join(box.base, 'evidence.jsonl')
    writeFileSync(file, '{"evidence_id":"E\\n1","kind":"read","path":"a","lines":[1,2,3]}\n')
    const ran = await box.zeno(['lint', '--evidence', file])
    expect(ran).toMatchObject({ code: 1, stdout: `${file}:1: E 1 has no lines\n`, stderr: '' })
  })
})

describe('answers', () => {
  it('do not depend on mtime, except for stat', async () => {
    const client = box.server()
    const before = [await client.ok('grep', { pattern: 'line' }), await client.ok('list_files', {})]
    utimesSync(path.join(box.root, 'a.txt'), 1, 1)
    const after = [await client.ok('grep', { pattern: 'line' }), await client.ok('list_files', {})]
    const timeless = (results: Json[]) => JSON.stringify(results).replaceAll(/"time_ms":\d+/g, '')
    expect(timeless(after)).toBe(timeless(before))
  })
})
