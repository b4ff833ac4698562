// Cost of the dashboard with 10,000 sessions and 1,000 runs of 100 attempts: the first paint compared
// with an empty machine, and frames while scrolling.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { firstPaintAt, framesAt, pageCases, type Scrolled } from './harness/browser.ts'
import type { Case, FunctionVariant, Sample } from './harness/case.ts'

const sessions = 10_000
const runs = 1000
const zee = path.join(process.cwd(), 'packages/zee/bin/zee.cjs')

export const cases: readonly Case[] = pageCases({
  name: 'the dashboard',
  prepare,
  open: [
    served('an empty machine', 'pages', 'empty', 'sessions', firstPaintAt),
    served('10,000 sessions', 'pages', 'many', 'sessions', firstPaintAt),
    served('100,000 attempts', 'pages', 'many', 'runs', firstPaintAt),
  ],
  scroll: [
    served('not scrolling', 'frames', 'many', 'sessions', (url) => framesAt(url, scrolledBy(0))),
    served('10,000 sessions', 'frames', 'many', 'sessions', (url) =>
      framesAt(url, scrolledBy(120)),
    ),
    served('1,000 runs', 'frames', 'many', 'runs', (url) => framesAt(url, scrolledBy(120))),
  ],
})

function scrolledBy(pixels: number): Scrolled {
  return { element: '.grid-body', pixels }
}

/** Measures a place of the dashboard that `zee ui` serves for a home. */
function served(
  name: string,
  unit: string,
  home: string,
  place: string,
  measure: (url: string) => Promise<Partial<Sample>>,
): FunctionVariant {
  return {
    name,
    unit,
    async run(scratch) {
      const env = { ...process.env, HOME: path.join(scratch, home) }
      const cwd = path.join(scratch, home, 'project')
      const child = spawn(process.execPath, [zee, 'ui', '--no-open'], { cwd, env })
      const ended = once(child, 'close')
      try {
        const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
        return await measure(`${/http:\S+/.exec(String(chunk))?.[0] ?? ''}#/${place}`)
      } finally {
        child.kill('SIGINT')
        await ended
      }
    },
  }
}

function prepare(scratch: string): void {
  mkdirSync(path.join(scratch, 'empty/project'), { recursive: true })
  const home = path.join(scratch, 'many')
  const project = path.join(home, 'project')
  mkdirSync(path.join(home, '.config/zdx/sessions'), { recursive: true })
  for (let at = 0; at < sessions; at++) writeSession(home, project, at)
  for (let at = 0; at < runs; at++) writeRun(project, at)
}

function writeSession(home: string, root: string, at: number): void {
  const time = new Date(Date.UTC(2026, 0, 1) + at * 60_000)
  const ts = time.toISOString()
  const lines = [
    { type: 'meta', schema_version: 1, ts, root },
    { type: 'message', role: 'user', text: `Task ${at}`, ts },
    { type: 'message', role: 'assistant', text: 'Done.', ts },
  ]
  const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const file = path.join(home, '.config/zdx/sessions', `${id}.jsonl`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(file, time, time)
}

/** A run of 100 attempts; its summary stands for them. */
function writeRun(project: string, at: number): void {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString()
  const stamp = createdAt.replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const runId = `${stamp}Z-${String(at).padStart(6, '0')}`
  const folder = path.join(project, '.zcl/runs', runId)
  mkdirSync(path.join(folder, 'attempts'), { recursive: true })
  const head = { schemaVersion: 1, runId, suiteId: 'many', createdAt }
  const attempts = Array.from({ length: 100 }, (_, index) => ({
    outcome: index % 4 === 0 ? 'failed' : 'passed',
    durationMs: 1000,
  }))
  const files = {
    'run.json': { ...head, artifactLayoutVersion: 1 },
    'suite.run.summary.json': { ...head, total: 100, pending: 0, attempts },
  }
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), JSON.stringify(value))
  }
}
