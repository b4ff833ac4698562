// Damages stored runs at random: truncated, mistyped, nested, binary, replaced and missing artifacts.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Draw = () => number

/** A generator of numbers from 0 to 1 (mulberry32). */
export function draws(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const strangeValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  'x',
  '__proto__',
  '../../etc/passwd',
  '2026-13-45T99:99:99Z',
  [],
  {},
  [null, [1, { a: [] }]],
  { ok: 'yes', argv: 7, missions: 'none', params: null },
  '\u0000\u001b[31m',
  'ü'.repeat(300),
]

const names = [
  'run.json',
  'suite.json',
  'run.report.json',
  'suite.run.plan.json',
  'suite.run.summary.json',
]
const attemptNames = [
  'attempt.json',
  'feedback.json',
  'tool.calls.jsonl',
  'tool.begins.jsonl',
  'notes.jsonl',
  'captures.jsonl',
  'attempt.report.json',
  'runner.metrics.json',
  'runner.ref.json',
  'attempt.outcome.json',
  'prompt.txt',
]

/** Damages one to three artifacts of a run. */
export function damageRun(runFolder: string, draw: Draw): void {
  const attempts = path.join(runFolder, 'attempts')
  const folders = existsSync(attempts) ? readdirSync(attempts) : []
  const times = 1 + Math.floor(draw() * 3)
  for (let time = 0; time < times; time++) {
    const attempt = pick(folders, draw)
    const inAttempt = draw() < 0.8 && attempt !== undefined
    const name = pick(inAttempt ? attemptNames : names, draw) ?? 'run.json'
    const file = inAttempt ? path.join(attempts, attempt, name) : path.join(runFolder, name)
    damageFile(file, draw)
  }
}

function damageFile(file: string, draw: Draw): void {
  const text = existsSync(file) && !isFolder(file) ? readFileSync(file, 'utf8') : '{}'
  const kind = Math.floor(draw() * 9)
  rmSync(file, { recursive: true, force: true })
  if (kind === 0) return
  if (kind === 1) return void mkdirSync(file)
  if (kind === 2) return writeFileSync(file, text.slice(0, Math.floor(draw() * text.length)))
  if (kind === 3) return writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 0x7b, 0x22]))
  if (kind === 4) return writeFileSync(file, `${'['.repeat(20_000)}`)
  if (kind === 5) return writeFileSync(file, JSON.stringify(pick(strangeValues, draw)))
  const lines = text.split('\n').map((line) => mutatedLine(line, draw))
  writeFileSync(file, file.endsWith('.jsonl') ? lines.join('\n') : mutatedLine(text, draw))
}

/** The JSON with one to three members replaced, removed or added; other text with a changed byte. */
function mutatedLine(line: string, draw: Draw): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    const at = Math.floor(draw() * line.length)
    return `${line.slice(0, at)}}${line.slice(at + 1)}`
  }
  for (let time = 0; time < 1 + Math.floor(draw() * 3); time++) mutate(value, draw)
  return JSON.stringify(value)
}

function mutate(value: unknown, draw: Draw): void {
  if (typeof value !== 'object' || value === null) return
  const record = value as Record<string, unknown>
  const key = pick(Object.keys(record), draw)
  if (key === undefined) return
  const inner = record[key]
  if (typeof inner === 'object' && inner !== null && draw() < 0.6) return mutate(inner, draw)
  if (draw() < 0.2) delete record[key]
  else record[key] = structuredClone(pick(strangeValues, draw))
}

function isFolder(file: string): boolean {
  try {
    readdirSync(file)
    return true
  } catch {
    return false
  }
}

function pick<T>(list: readonly T[], draw: Draw): T | undefined {
  return list[Math.floor(draw() * list.length)]
}
