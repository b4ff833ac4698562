// `zcl query`: answers, cache freshness, and the SQL that it refuses.
import { appendFileSync, cpSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asProcess } from '../run-here.ts'
import { filesBelow, type Json } from '../zcl/project.ts'
import { callLine, RunsProject } from './stored-runs.ts'

const project = new RunsProject()
afterAll(() => project.remove())

let run = ''
beforeAll(() => {
  run = project.store({ missions: { a: '++-', b: 'i?' }, calls: 4 })
})

const cache = () => path.join(project.folder, '.zcl/cache/query')

async function rows(sql: string, extra: readonly string[] = [], env = {}): Promise<Json[]> {
  const ran = await project.zcl(['query', sql, '--format', 'json', ...extra], { env })
  if (ran.code !== 0) throw new Error(ran.err)
  return JSON.parse(ran.out) as Json[]
}

function segments(): string[] {
  return readdirSync(cache()).filter((name) => name.startsWith('segment-'))
}

describe('zcl query', () => {
  test('has empty views and writes nothing when there is no evidence', async () => {
    const empty = new RunsProject()
    try {
      const ran = await empty.zcl(['query', 'select count(*) n from calls', '--format', 'csv'])
      expect([ran.code, ran.out, ran.err]).toEqual([0, 'n\n0\n', ''])
      expect(filesBelow(empty.folder)).toEqual({})
    } finally {
      empty.remove()
    }
  })

  test('has the views runs, attempts, calls and findings', async () => {
    expect(await rows('from runs')).toMatchObject([
      { runId: run, suiteId: 'smoke', attempts: 5, passed: 2, failed: 1, infra: 1, missing: 1 },
    ])
    const outcomes =
      'select missionId, outcome, count(*) as n from attempts group by all order by all'
    expect(await rows(outcomes)).toEqual([
      { missionId: 'a', outcome: 'failed', n: 1 },
      { missionId: 'a', outcome: 'passed', n: 2 },
      { missionId: 'b', outcome: 'infra', n: 1 },
      { missionId: 'b', outcome: 'missing', n: 1 },
    ])
    const call = 'select * exclude (runId, attemptId) from calls order by attemptId, line limit 2'
    expect(await rows(call)).toMatchObject([
      {
        missionId: 'a',
        line: 1,
        ts: '2026-02-15T18:00:13.000Z',
        tool: 'cli',
        command: 'rg',
        input: '{"argv":["rg","-n","word \\"0\\""]}',
        ok: true,
        code: null,
        exitCode: 0,
        durationMs: 5,
        outBytes: 100,
      },
      { line: 2, ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 3, durationMs: 7 },
    ])
    expect(await rows('select count(*) as n from findings where len(lines) = 0')).toEqual([
      { n: 0 },
    ])
  })

  test('writes a Markdown table with --format md', async () => {
    const sql = "select 'a|b' as x, E'two\\nlines' as y"
    const { out } = await project.zcl(['query', sql, '--format', 'md'])
    expect(out).toBe('| x | y |\n| --- | --- |\n| a\\|b | two<br>lines |\n')
  })

  test('lists the columns of the table for a wrong column, and the tables for a wrong table', async () => {
    const column = await project.zcl(['query', 'select nope from findings'])
    expect(column).toMatchObject({ code: 2, out: '' })
    expect(column.err).toMatch(
      /^ZCL_E_QUERY: .*nope.*; columns of findings: runId, .*, linesTotal\n$/,
    )
    const table = await project.zcl(['query', 'from nope'])
    expect(table.err).toMatch(/; tables: runs, attempts, calls, findings\n$/)
  })

  test('says so when the answer has no rows', async () => {
    const { out } = await project.zcl(['query', 'select runId, ok from calls where false'])
    expect(out).toBe('runId  ok\nNo rows.\n')
  })

  test('writes its answer as a table, CSV, a JSON document or a Parquet file', async () => {
    const sql = "select 1 as a, '=x,y' as b, [1, 2] as c, null as d, 0.5 as e; -- trailing"
    expect((await project.zcl(['query', sql])).out).toBe(
      'a  b     c      d  e\n1  =x,y  [1,2]     0.5\n',
    )
    const csv = await project.zcl(['query', sql, '--format', 'csv', '--out', 'x.csv'])
    expect([csv.code, csv.out]).toEqual([0, 'x.csv written\n'])
    expect(project.read('x.csv')).toBe('a,b,c,d,e\n1,"\'=x,y","[1,2]",,0.5\n')
    const { json } = await project.json(['query', sql])
    expect(json).toMatchObject({
      ok: true,
      rows: [{ a: 1, b: '=x,y', c: [1, 2], d: null, e: 0.5 }],
      total: 1,
    })
    const parquet = await project.json(['query', sql, '--format', 'parquet', '--out', 'x.parquet'])
    expect(parquet.json).toEqual({ ok: true, format: 'parquet', path: 'x.parquet' })
    const bytes = readFileSync(path.join(project.folder, 'x.parquet'))
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual([
      'PAR1',
      'PAR1',
    ])
    expect(readdirSync(project.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('writes integers as text when JSON numbers cannot represent them exactly', async () => {
    const big = 'select 9007199254740993::bigint a, 3::hugeint b, {k: [1::bigint]} c, map {1: 2} d'
    expect(await rows(big)).toEqual([
      { a: '9007199254740993', b: 3, c: { k: [1] }, d: [{ key: 1, value: 2 }] },
    ])
  })

  test.each([
    ['selec 1', /Parser Error/],
    ['select nothing from calls', /Binder Error/],
    ['select 1; select 2', /one SELECT/],
    ['create table x (a int)', /one SELECT/],
    ["copy (select 1) to 'stolen.csv'", /one SELECT|Permission/],
    ["explain analyze copy (select 1) to 'stolen.csv'", /one SELECT|Permission/],
    ["attach 'other.db'", /one SELECT|Permission/],
    ['set enable_external_access = true', /one SELECT|locked/],
    ['install httpfs', /one SELECT|Permission/],
    ['load httpfs', /one SELECT|Permission|disabled/],
    ["select * from read_csv('/etc/passwd')", /Permission Error|not available/],
    ["select * from read_text('/proc/self/environ')", /Permission Error|not available/],
    ["select * from '/etc/passwd'", /Error/],
    ["select * from glob('/*')", /Permission Error|not available/],
    ["from enable_logging(storage = 'file', storage_path = 'log.csv')", /enable_logging is not/],
    ["with x as (from calls, enable_profiling(format = 'json')) select 1", /profiling is not/],
    ["summarize from force_checkpoint('memory')", /force_checkpoint is not/],
    ["from query('from enable_logging()')", /query is not/],
    ['select (select count(*) from checkpoint())', /checkpoint is not/],
    ['pragma version', /SELECT/],
    ["select * from 'https://example.com/x.parquet'", /Error/],
    ['select $1', /parameters/],
    ['', /give one SELECT/],
  ])('refuses %j with one line and exit code 2', async (sql, why) => {
    const before = readdirSync(project.folder)
    const ran = await project.zcl(['query', sql])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_(?:QUERY|USAGE): [^\n]+\n$/)
    expect(ran.err).toMatch(why)
    expect(ran.out).toBe('')
    expect(readdirSync(project.folder)).toEqual(before)
  })

  test('requires --out for Parquet, and names a missing folder', async () => {
    const parquet = await project.zcl(['query', 'select 1', '--format', 'parquet'])
    expect([parquet.code, parquet.err]).toEqual([2, expect.stringContaining('--out') as string])
    const lost = await project.zcl(['query', 'select 1', '--format', 'csv', '--out', 'no/such/x'])
    expect([lost.code, lost.err]).toEqual([
      1,
      expect.stringMatching(/^ZCL_E_IO: .*no\/such/) as string,
    ])
  })

  test('ends silently when the reader closes the pipe', async () => {
    const sql = 'select c.* from calls c, range(2000)'
    const ran = await project.zcl(['query', sql, '--format', 'csv'], {
      onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    })
    expect(ran.err).toBe('')
  })

  test('prints the install command when the DuckDB package is missing', async () => {
    const bare = path.join(project.root, 'bare')
    const zcl = path.resolve(import.meta.dirname, '../../../packages/zcl')
    cpSync(path.join(zcl, 'dist'), path.join(bare, 'dist'), { recursive: true })
    cpSync(path.join(zcl, 'bin'), path.join(bare, 'bin'), { recursive: true })
    const { spawnSync } = await import('node:child_process')
    const file = path.join(bare, 'bin/zcl.cjs')
    const ran = spawnSync(process.execPath, [file, 'query', 'select 1'], { cwd: project.folder })
    expect(ran.status).toBe(1)
    expect(ran.stderr.toString()).toMatch(
      /^ZCL_E_QUERY: .*@duckdb\/node-api.*npm install @duckdb\/node-api@\S+\n$/,
    )
  })
})

describe('the cache of zcl query', () => {
  const count = async () => (await rows('select count(*) as n from calls'))[0]?.n

  test('follows added and removed calls, outcomes, attempts and runs', async () => {
    expect(await count()).toBe(20)
    const attempt = path.join(project.runFolder(run), 'attempts/001-a-r1')
    const ids = { runId: run, suiteId: 'smoke', missionId: 'a', attemptId: '001-a-r1' }
    appendFileSync(path.join(attempt, 'tool.calls.jsonl'), callLine(ids, 4))
    expect(await count()).toBe(21)
    const feedback = path.join(attempt, 'feedback.json')
    writeFileSync(feedback, readFileSync(feedback, 'utf8').replace('"ok": true', '"ok": false'))
    expect(await rows("select ok from attempts where attemptId = '001-a-r1'")).toEqual([
      { ok: false },
    ])
    const other = project.store({ missions: { c: '+' }, calls: 3 })
    expect(await count()).toBe(24)
    rmSync(project.runFolder(other), { recursive: true })
    expect(await count()).toBe(21)
    expect(await rows('select count(*) as n from runs')).toEqual([{ n: 1 }])
  })

  test('does not read unchanged runs again', async () => {
    await settled()
    const before = segments()
    const files = filesBelow(cache())
    expect(await count()).toBe(21)
    expect(segments()).toEqual(before)
    expect(filesBelow(cache())).toEqual(files)
  })

  test.each([
    ['cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 40))],
    ['overwritten', (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size, 7))],
    ['removed', (file: string) => rmSync(file)],
  ])('rebuilds a file that was %s', async (_, damage) => {
    await settled()
    for (const segment of segments()) {
      for (const name of readdirSync(path.join(cache(), segment))) {
        if (name.startsWith('calls')) damage(path.join(cache(), segment, name))
      }
    }
    expect(await count()).toBe(21)
  })

  test('is rebuilt when its manifest is invalid', async () => {
    for (const text of ['', '{', '[]', '{"version":"0","segments":5}']) {
      writeFileSync(path.join(cache(), 'manifest.json'), text)
      expect(await count()).toBe(21)
    }
  })

  test('is built once for concurrent queries, which all get the same answer', async () => {
    rmSync(cache(), { recursive: true })
    const sql = 'select count(*) as n from calls'
    const answers = await Promise.all([1, 2, 3, 4].map(() => rows(sql, [], asProcess)))
    expect(answers).toEqual([1, 2, 3, 4].map(() => [{ n: 21 }]))
  })

  test('is built by the next query when a builder is killed', async () => {
    rmSync(cache(), { recursive: true })
    const ran = await project.zcl(['query', 'from runs'], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(cache())) return
          clearInterval(timer)
          child.kill('SIGKILL')
        }, 1)
        child.once('exit', () => clearInterval(timer))
      },
    })
    expect(ran.signal === 'SIGKILL' || ran.code === 0).toBe(true)
    expect(await count()).toBe(21)
  })

  test('merges small segments and removes replaced ones after ten minutes', async () => {
    const more = [1, 2, 3, 4].map((calls) => project.store({ missions: { more: '+' }, calls }))
    for (const each of more) {
      appendFileSync(path.join(project.runFolder(each), 'run.json'), '\n')
      await count()
    }
    const file = path.join(cache(), 'manifest.json')
    type Pieces = { segments: { name: string }[]; retired: { name: string; atMs: number }[] }
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Pieces
    expect(manifest.segments.length).toBeLessThan(4)
    expect(manifest.retired.length).toBeGreaterThan(0)
    for (const each of manifest.retired) each.atMs = 0
    writeFileSync(file, JSON.stringify(manifest))
    for (const each of more) rmSync(project.runFolder(each), { recursive: true })
    expect(await count()).toBe(21)
    const gone = new Set(manifest.retired.map(({ name }) => name))
    expect(segments().filter((name) => gone.has(name))).toEqual([])
  })

  test('is not written through a symbolic link', async () => {
    const other = new RunsProject()
    try {
      other.store({ missions: { a: '+' } })
      const outside = path.join(other.root, 'outside')
      mkdirSync(outside)
      symlinkSync(outside, path.join(other.folder, '.zcl/cache'))
      const ran = await other.zcl(['query', 'from runs'])
      expect([ran.code, ran.err]).toEqual([
        2,
        expect.stringMatching(/^ZCL_E_CONTAINMENT/) as string,
      ])
      expect(readdirSync(outside)).toEqual([])
    } finally {
      other.remove()
    }
  })

  test('works below an output root with quotes, brackets and stars in its name', async () => {
    const outRoot = path.join(project.folder, `o'd "d[1] *?`)
    cpSync(path.join(project.folder, '.zcl/runs'), path.join(outRoot, 'runs'), { recursive: true })
    const found = await rows('select count(*) as n from calls', ['--out-root', outRoot])
    expect(found).toEqual([{ n: 21 }])
  })
})

/** Queries until the runs are older than the resolution of file times. */
async function settled(): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    await rows('select 1')
    const manifest = JSON.parse(readFileSync(path.join(cache(), 'manifest.json'), 'utf8')) as {
      segments: { runs: { settled: boolean }[] }[]
    }
    if (manifest.segments.every(({ runs }) => runs.every((each) => each.settled))) return
  }
  throw new Error('the cache never settled')
}
