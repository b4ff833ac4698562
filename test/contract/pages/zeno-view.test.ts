// `zeno view`: the page of a retrieval trajectory.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../zeno/sandbox.ts'
import { expectSelfContained, hostileTexts, readPageFile } from './page-file.ts'

const box = createSandbox({
  'src/a.ts': 'one\ntwo\nthree\n',
  'src/b.ts': 'two more\n',
  'docs/c.md': 'nothing here\n',
})
const log = path.join(box.base, 'trace.jsonl')
afterAll(() => box.remove())

const requests = [
  { id: 'r1', op: 'list_files', args: { glob: 'src/*' } },
  { id: 'r2', op: 'grep', args: { pattern: 'two' } },
  { id: 'r3', op: 'read_file', args: { path: 'src/a.ts', start_line: 1, end_line: 2 } },
  { id: 's1', op: 'event', args: { event: 'subcall_start', call_id: 'c1' } },
  { id: 'r4', op: 'read_file', args: { path: 'src/none.ts' } },
  { id: 's2', op: 'event', args: { event: 'subcall_end', call_id: 'c1', ok: true } },
  {
    id: 'e',
    op: 'event',
    args: { event: 'evidence', evidence_id: 'e1', kind: 'read', path: 'src/b.ts', lines: [1, 1] },
  },
  {
    id: 'k1',
    op: 'event',
    args: { event: 'claim', claim_id: 'k1', claim: hostileTexts[0], evidence: ['e1', 'r3'] },
  },
  {
    id: 'k2',
    op: 'event',
    args: { event: 'claim', claim_id: 'k2', claim: 'no', evidence: ['nothing'] },
  },
]

interface Data {
  totals: Record<string, number>
  budgets: { name: string; used: number; limit?: number }[]
  steps: { line: number; name: string; depth: number; ok?: boolean; title: string }[]
  files: { path: string; state: string; bytes: number; lines?: number }[]
  claims: { id: string; text: string; evidence: { id: string; status: string; line?: number }[] }[]
  badLines: number
}

async function view(...args: string[]): Promise<Data> {
  const out = path.join(box.base, 'page.html')
  const ran = await box.zeno(['view', '--log', log, '--out', out, ...args])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  const page = readPageFile(out)
  expectSelfContained(page)
  return page.data as unknown as Data
}

beforeAll(async () => {
  const input = requests.map((each) => `${JSON.stringify(each)}\n`).join('')
  const budget = ['--budget', 'ops=9,lines=50,hits=20']
  await box.zeno(['serve', '--root', box.root, '--log', log, ...budget], { input })
})

describe('zeno view', () => {
  it('writes the page beside the trace by default', async () => {
    const { code, stdout } = await box.zeno(['view', '--log', log])
    expect(code).toBe(0)
    expect(stdout).toBe(`${path.join(box.base, 'trace.html')}\n`)
    expect(readPageFile(path.join(box.base, 'trace.html')).data.kind).toBe('trajectory')
  })

  it('lists requests in order, with those of sub-calls nested', async () => {
    const { steps, totals } = await view()
    expect(steps.map(({ name, depth }) => [name, depth])).toEqual([
      ['list_files', 0],
      ['grep', 0],
      ['read_file', 0],
      ['subcall_start', 0],
      ['read_file', 1],
      ['subcall_end', 0],
      ['evidence', 0],
      ['claim', 0],
      ['claim', 0],
    ])
    expect(totals).toMatchObject({
      requests: 4,
      errors: 1,
      filesRead: 1,
      linesRead: 2,
      subcalls: 1,
      deepest: 1,
    })
  })

  it('shows usage and limit of each budget', async () => {
    const { budgets } = await view()
    expect(budgets).toEqual([
      { name: 'requests', used: 4, limit: 9 },
      { name: 'lines read', used: 2, limit: 50 },
      { name: 'grep hits', used: 2, limit: 20 },
    ])
  })

  it('shows without --root only the files that were read, and checks no evidence', async () => {
    const { files, claims } = await view()
    expect(files).toMatchObject([{ path: 'src/a.ts', state: 'read', lines: 2 }])
    expect(claims[0]?.evidence.map(({ status }) => status)).toEqual(['unchecked', 'unchecked'])
  })

  it('shows with --root which files were listed, matched, read and untouched', async () => {
    const { files } = await view('--root', box.root)
    expect(files.map(({ path, state, bytes }) => [path, state, bytes])).toEqual([
      ['docs/c.md', 'untouched', 13],
      ['src/a.ts', 'read', 14],
      ['src/b.ts', 'matched', 9],
    ])
  })

  it('checks the evidence of each claim against the files', async () => {
    const { claims } = await view('--root', box.root)
    expect(claims[0]?.text).toBe(hostileTexts[0])
    expect(claims[0]?.evidence).toMatchObject([
      { id: 'e1', status: 'unhashed' },
      { id: 'r3', status: 'ok', line: 5 },
    ])
    expect(claims[1]?.evidence).toMatchObject([{ id: 'nothing', status: 'unknown' }])
  })

  it('marks evidence as changed after the file changes', async () => {
    writeFileSync(path.join(box.root, 'src/a.ts'), 'zero\ntwo\nthree\n')
    const { claims } = await view('--root', box.root)
    expect(claims[0]?.evidence.map(({ status }) => status)).toEqual(['unhashed', 'changed'])
    writeFileSync(path.join(box.root, 'src/a.ts'), 'one\ntwo\nthree\n')
  })

  it('includes claims and evidence from ledgers', async () => {
    const evidence = path.join(box.base, 'evidence.jsonl')
    const claims = path.join(box.base, 'claims.jsonl')
    const hash = 'sha256:'.padEnd(71, '0')
    const row = { evidence_id: 'x', kind: 'read', path: 'src/b.ts', lines: [1, 1], hash }
    writeFileSync(evidence, `${JSON.stringify(row)}\n`)
    writeFileSync(claims, `${JSON.stringify({ claim_id: 'y', claim: 'z', evidence: ['x'] })}\n`)
    const found = await view('--root', box.root, '--evidence', evidence, '--claims', claims)
    expect(found.claims.at(-1)).toMatchObject({
      id: 'y',
      evidence: [{ id: 'x', status: 'changed' }],
    })
  })

  it('skips lines that are not events and counts them', async () => {
    const torn = path.join(box.base, 'torn.jsonl')
    writeFileSync(torn, `${readFileSync(log, 'utf8')}not json\n[1]\n{"ts":"2026`)
    const out = path.join(box.base, 'torn.html')
    expect((await box.zeno(['view', '--log', torn, '--out', out])).code).toBe(0)
    expect((readPageFile(out).data as unknown as Data).badLines).toBe(3)
  })
})

describe('zeno view rejects', () => {
  it.each([
    ['a missing trace', ['--log', 'none.jsonl']],
    ['a missing root', ['--log', log, '--root', '/no/such/place']],
    ['a call without --log', []],
    ['a file and a server at once', ['--log', log, '--serve', '--out', 'x.html']],
  ])('%s', async (_what, args) => {
    const { code, stdout, stderr } = await box.zeno(['view', ...args])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
