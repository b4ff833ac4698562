// A session with a change log in a temporary folder.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import type { NewRecord } from '../session/session.ts'
import { openSession } from '../session/session.ts'
import type { ChangeRecord } from './change-log.ts'
import { appendToLog } from './change-log.ts'
import type { SessionPaths } from './live-changes.ts'
import type { FileState, RawPath } from './snapshots/snapshots.ts'
import { rawPath } from './snapshots/snapshots.ts'

export const testClock = fixedClock('2026-01-01T00:00:00Z')

export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

export interface RecordedSession {
  root: string
  paths: SessionPaths
  file(name: string): string
  raw(name: string): RawPath
  put(name: string, contents: string | Buffer): string
  /** Stores contents under their hash and returns the state of a file with them. */
  keep(contents: string | Buffer, mode?: number): FileState
  /** Appends records to the session; the first one is event 2. */
  record(...records: NewRecord[]): void
  /** Appends lines to the change log and returns the number of the last one. */
  log(...lines: Record<string, unknown>[]): number
  remove(): void
}

export function makeRecordedSession(): RecordedSession {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-recorded-')))
  const file = (name: string) => path.join(root, name)
  const paths = {
    sessions: file('sessions'),
    undo: file('zdx/undo/one'),
    id: 'one',
    env: process.env,
  }
  const put = (name: string, contents: string | Buffer) => {
    mkdirSync(path.dirname(file(name)), { recursive: true })
    writeFileSync(file(name), contents)
    return file(name)
  }
  return {
    root,
    paths,
    file,
    raw: (name) => rawPath(file(name)),
    put,
    keep: (contents, mode = 0o644) => {
      const hash = sha256(contents)
      put(`zdx/undo/one/${hash}`, contents)
      const size = Buffer.byteLength(contents)
      return { kind: 'file', mode, size, hash, copy: { file: hash, offset: 0 } }
    },
    record: (...records) => {
      const session = openSession(paths.sessions, 'one', testClock)
      for (const each of records) session.append(each)
      session.close()
    },
    log: (...lines) => appendToLog(paths.undo, lines),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The change of a path, as the log holds it. */
export function changeOf(raw: RawPath, more: Partial<ChangeRecord> = {}): ChangeRecord {
  return {
    number: 1,
    callId: '1',
    tool: 'edit',
    path: raw,
    raw,
    before: null,
    after: null,
    opened: 1,
    closed: 1,
    kept: true,
    isLater: false,
    folders: [],
    ts: '',
    ...more,
  }
}
