// Writes logs of other programs, imports them and reads what the import stored. Test files share this module,
// so each of them registers `afterAll(removeLogs)` itself.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRedactor } from '@zee/core/redact'
import { readMessages } from '../src/messages/messages.ts'
import type { ImportFormat } from '../src/schema/vocabulary.ts'
import { importLog, type ImportResult } from '../src/imports/imports.ts'
import { ImportSource } from '../src/imports/source.ts'

export const folder = mkdtempSync(path.join(tmpdir(), 'zee-import-'))

export function removeLogs(): void {
  rmSync(folder, { recursive: true, force: true })
}

export const redactor = createRedactor({ environment: {} })
export const now = new Date('2026-05-01T12:00:00Z')
export const time = '2026-04-01T10:00:00.000Z'
export const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'

export function write(name: string, content: unknown): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

export function imported(format: ImportFormat, file: string): Promise<ImportResult> {
  const outRoot = path.join(folder, 'out')
  return importLog({ format, path: file, outRoot, suite: undefined, env: {}, redactor, now })
}

export function artifact(run: ImportResult, name: string, index = 0): Record<string, unknown> {
  const { attemptId = '' } = run.attempts[index] ?? {}
  const file = path.join(run.runFolder, 'attempts', attemptId, name)
  const text = readFileSync(file, 'utf8')
  // The first line of a stream, or the whole document.
  const document = name.endsWith('.jsonl') ? (text.split('\n')[0] ?? '') : text
  return JSON.parse(document) as Record<string, unknown>
}

export interface Call {
  result: { ok: boolean }
}

export function traceOf(run: ImportResult): Call[] {
  const { attemptId = '' } = run.attempts[0] ?? {}
  const text = readFileSync(
    path.join(run.runFolder, 'attempts', attemptId, 'tool.calls.jsonl'),
    'utf8',
  )
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call)
}

export function messages(run: ImportResult, index = 0): string[] {
  const { attemptId = '' } = run.attempts[index] ?? {}
  return readMessages(path.join(run.runFolder, 'attempts', attemptId)).map(
    ({ role, kind, text }) => `${role} ${kind}: ${text}`,
  )
}

/** The written log as the readers of a format get it. */
export function sourceOf(name: string, content: unknown): ImportSource {
  return new ImportSource(write(name, content), {})
}
