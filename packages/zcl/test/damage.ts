// Damages a stored project at random: truncated, mistyped, nested, binary, replaced, linked and missing
// files.
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Draw } from '@zee/core/random'

const strangeValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  2 ** 53,
  '',
  'x',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '2026-13-45T99:99:99Z',
  '\uD800',
  [],
  {},
  [null, [1, { a: [] }]],
  { ok: 'yes', argv: 7, missions: 'none', params: null },
  { toString: 1, valueOf: 2, length: -1 },
  '\u0000\u001b[31m',
  'ü'.repeat(300),
]

/** Damages one to three of the files, and returns their paths. */
export function damageProject(root: string, names: readonly string[], random: Draw): string[] {
  const times = 1 + Math.floor(random() * 3)
  return Array.from({ length: times }, () => {
    const name = pick(names, random) ?? ''
    damageFile(path.join(root, name), random)
    return name
  })
}

const nesting = 20_000

function damageFile(file: string, random: Draw): void {
  const text = readText(file)
  const kind = Math.floor(random() * 16)
  rmSync(file, { recursive: true, force: true })
  if (kind === 0) return
  if (kind === 1) return void mkdirSync(file)
  if (kind === 2) return writeFileSync(file, text.slice(0, Math.floor(random() * text.length)))
  if (kind === 3) return writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 0x7b, 0x22]))
  if (kind === 4) return writeFileSync(file, '['.repeat(nesting))
  if (kind === 5) return writeFileSync(file, JSON.stringify(pick(strangeValues, random)))
  if (kind === 6)
    return symlinkSync(pick(['/etc/passwd', 'missing', '.', file], random) ?? '', file)
  if (kind === 7) return writeFileSync(file, deepened(text, random))
  const isStream = file.endsWith('.jsonl')
  const lines = text.split('\n').map((line) => (isStream ? mutatedLine(line, random) : line))
  writeFileSync(file, isStream ? lines.join('\n') : mutatedLine(text, random))
}

/** The text with a deeply nested list as the value of a member. */
function deepened(text: string, random: Draw): string {
  const colons = [...text.matchAll(/":/g)].map(({ index }) => index + 2)
  const at = pick(colons, random) ?? 0
  const nested = `${'['.repeat(nesting)}${']'.repeat(nesting)},"was":`
  return text.slice(0, at) + nested + text.slice(at)
}

/** The JSON with one to three members replaced, removed or added; other text with a changed byte. */
function mutatedLine(line: string, random: Draw): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    const at = Math.floor(random() * line.length)
    return `${line.slice(0, at)}}${line.slice(at + 1)}`
  }
  // A value that an earlier damage has nested cannot be written again.
  if (line.includes('['.repeat(99))) return line
  for (let time = 0; time < 1 + Math.floor(random() * 3); time++) mutate(value, random)
  return JSON.stringify(value)
}

function mutate(value: unknown, random: Draw): void {
  if (typeof value !== 'object' || value === null) return
  const record = value as Record<string, unknown>
  const key = pick(Object.keys(record), random)
  if (key === undefined) return
  const inner = record[key]
  if (typeof inner === 'object' && inner !== null && random() < 0.6) return mutate(inner, random)
  if (random() < 0.2) delete record[key]
  else record[key] = structuredClone(pick(strangeValues, random))
}

function readText(file: string): string {
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? readFileSync(file, 'utf8') : '{}'
}

function pick<T>(list: readonly T[], random: Draw): T | undefined {
  return list[Math.floor(random() * list.length)]
}
