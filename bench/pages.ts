// Cost of a page with 10,000 calls: building it compared with reading the trace, opening it
// compared with a page without calls, scrolling it, and its weight beyond the data.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { firstPaint, frames } from './harness/browser.ts'
import type { Case, Sample } from './harness/case.ts'

const calls = 10_000
const callCount = calls.toLocaleString('en')
const repository = process.cwd()
const zcl = path.join(repository, 'packages/zcl/bin/zcl.cjs')
const list = '.rows'

export const cases: readonly Case[] = [
  {
    name: 'make',
    question: `how fast does zcl view turn a trace of ${callCount} calls into a page, start included?`,
    repetitions: 5,
    prepare: (scratch) => prepare(scratch),
    variants: [
      { name: 'read alone', unit: 'MB', run: readAlone },
      { name: 'zcl view', unit: 'MB', run: viewAttempt },
    ],
    goals: [{ variant: 'zcl view', figure: 'rate', atLeast: 50 }],
  },
  {
    name: 'open',
    question: `how long until the first paint of a page with ${callCount} calls (wall time)?`,
    repetitions: 5,
    prepare: preparePages,
    variants: [
      firstPaint('a page without calls', 'empty.html', 0),
      firstPaint('10,000 calls', 'large.html', calls),
    ],
    goals: [{ variant: '10,000 calls', figure: 'wall', atMost: 500 }],
  },
  {
    name: 'scroll',
    question: 'how many frames per second does a page draw while scrolling?',
    repetitions: 3,
    prepare: preparePages,
    variants: [
      frames('10,000 calls, not scrolling', 'large.html', { element: list, pixels: 0 }),
      frames('10,000 calls, scrolling', 'large.html', { element: list, pixels: 120 }),
    ],
    goals: [{ variant: '10,000 calls, scrolling', figure: 'rate', atLeast: 60 }],
  },
  {
    name: 'weight',
    question: 'how many KB does a page weigh beyond its data?',
    repetitions: 1,
    prepare: preparePages,
    variants: [{ name: '10,000 calls', unit: 'KB', run: weight }],
    goals: [{ variant: '10,000 calls', figure: 'amount', atMost: 300 }],
  },
]

function prepare(scratch: string): void {
  writeAttempt(scratch, 'large', calls)
  writeAttempt(scratch, 'empty', 0)
}

function preparePages(scratch: string): void {
  prepare(scratch)
  for (const name of ['large', 'empty']) view(scratch, name)
}

function readAlone(scratch: string): number {
  return readFileSync(traceOf(scratch, 'large')).length / 1e6
}

function viewAttempt(scratch: string): Partial<Sample> {
  const before = childrenCpuMs()
  view(scratch, 'large')
  const amount = statSync(traceOf(scratch, 'large')).size / 1e6
  return { amount, cpuMs: childrenCpuMs() - before }
}

function view(scratch: string, name: string): void {
  const args = [zcl, 'view', path.join(scratch, name), '--out', pageOf(scratch, name)]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: scratch })
  if (status !== 0) throw new Error(String(stderr))
}

/** User and system time of exited children, in steps of 10 ms. */
function childrenCpuMs(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

function weight(scratch: string): number {
  const html = readFileSync(pageOf(scratch, 'large'), 'utf8')
  const data = /(<script type="application\/json" id="zee-[\w-]+">)[\s\S]*?<\/script>/g
  return Buffer.byteLength(html.replaceAll(data, '$1')) / 1000
}

function writeAttempt(scratch: string, name: string, count: number): void {
  const folder = path.join(scratch, name)
  mkdirSync(folder)
  const ids = {
    runId: '20260101-000000Z-abcdef',
    suiteId: 'bench',
    missionId: 'pages',
    attemptId: '001-pages-r1',
  }
  const startedAt = '2026-01-01T00:00:00.000Z'
  const attempt = { schemaVersion: 1, ...ids, mode: 'discovery', startedAt }
  writeFileSync(path.join(folder, 'attempt.json'), JSON.stringify(attempt))
  writeFileSync(traceOf(scratch, name), traceText(ids, count))
}

/** Chained lines in the format of the funnel, with outputs of 0 to 5,000 characters. */
function traceText(ids: object, count: number): string {
  const source = readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8')
  const from = Date.UTC(2026, 0, 1)
  const lines: string[] = []
  let before = ''
  for (let index = 0; index < count; index++) {
    const out = source.slice(index % 500, (index % 500) + ((index * 37) % 5000))
    const isFailed = index % 40 === 7
    const line = JSON.stringify({
      v: 1,
      ts: new Date(from + index * 180).toISOString(),
      ...ids,
      tool: 'cli',
      op: 'exec',
      input: { argv: ['tool', `--step=${index}`, 'src/some/file.ts'] },
      result: {
        ok: !isFailed,
        ...(isFailed ? { code: 'ZCL_E_TOOL_FAILED' } : {}),
        exitCode: isFailed ? 1 : 0,
        durationMs: (index * 7919) % 900,
      },
      io: { outBytes: Buffer.byteLength(out), errBytes: 0, outPreview: out },
      redactionsApplied: [],
      chain: createHash('sha256').update(before).digest('hex'),
    })
    lines.push(line)
    before = line
  }
  return lines.map((line) => `${line}\n`).join('')
}

function traceOf(scratch: string, name: string): string {
  return path.join(scratch, name, 'tool.calls.jsonl')
}

function pageOf(scratch: string, name: string): string {
  return path.join(scratch, `${name}.html`)
}
