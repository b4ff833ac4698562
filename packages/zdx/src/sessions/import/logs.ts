// Finds and reads the logs of another program: all of them, or those at a path.
import { logPlaces, opencodeDatabase } from '@zee/evidence/runners'
import { readJournalSync } from '@zee/core/journal'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { LogSession } from './builder.ts'
import { readClaude } from './claude.ts'
import { readCodex } from './codex.ts'
import { readGemini } from './gemini.ts'
import type { Loose } from './log-values.ts'
import { objectAt } from './log-values.ts'
import { readOpencode } from './opencode.ts'
import { databaseSessions, storedSessions } from './opencode-store.ts'
import { readPi } from './pi.ts'

/** The programs whose logs can be imported. */
export type ImportProgram = 'claude' | 'codex' | 'opencode' | 'pi' | 'gemini'

type ReadLog = (lines: readonly Loose[], fallbackId: string, file: string) => LogSession

const readers: Readonly<Record<Exclude<ImportProgram, 'opencode'>, ReadLog>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  pi: readPi,
}

/** A session, or why a log could not be read. */
export type LogReading =
  | { file: string; session: LogSession; failure?: undefined }
  | { file: string; session?: undefined; failure: string }

/** Larger logs are not read, because a session is built in memory. */
const maxLogBytes = 256 * 1024 * 1024
const maxDepth = 6

export function* readLogs(
  program: ImportProgram,
  named: string | undefined,
  env: Host['env'],
): Generator<LogReading> {
  if (program === 'opencode') {
    yield* readOpencodeLogs(named, env)
    return
  }
  const places = logPlaces(program)
  const roots = named === undefined ? places.roots(env) : [named]
  const isLog = (name: string) =>
    program === 'gemini' ? /^session-.*\.jsonl?$/.test(name) : places.isLog(name)
  const files = roots.flatMap((root) => logFiles(root, isLog, 0))
  if (files.length === 0) throw noLogs(program, roots)
  for (const file of files) yield readLogFile(program, file)
}

function readLogFile(program: Exclude<ImportProgram, 'opencode'>, file: string): LogReading {
  const fallbackId = path.basename(file).replace(/\.jsonl?(\.zst)?$/, '')
  try {
    if (statSync(file).size > maxLogBytes) return { file, failure: 'it is larger than 256 MiB' }
    if (file.endsWith('.zst'))
      return { file, failure: 'it is compressed: decompress it with zstd -d' }
    const { lines, skipped } = readLines(file)
    const session = readers[program](lines, fallbackId, file)
    return { file, session: { ...session, unread: session.unread + skipped } }
  } catch (error) {
    return { file, failure: reasonOf(error) }
  }
}

function readLines(file: string): { lines: Loose[]; skipped: number } {
  if (file.endsWith('.json')) {
    return { lines: [objectAt(JSON.parse(readFileSync(file, 'utf8')))], skipped: 0 }
  }
  const lines: Loose[] = []
  const { skippedLines } = readJournalSync(file, ({ record }) => void lines.push(record))
  return { lines, skipped: skippedLines }
}

function* readOpencodeLogs(named: string | undefined, env: Host['env']): Generator<LogReading> {
  const database = named ?? opencodeDatabase(env)
  const storages =
    named === undefined
      ? [path.join(path.dirname(database ?? '/'), 'storage')]
      : [named, path.join(named, 'storage')]
  const files = database === undefined ? [] : [database, path.join(database, 'opencode.db')]
  const file = files.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true)
  const storage = storages.find((each) => existsSync(path.join(each, 'session')))
  if (storage === undefined && file === undefined) throw noLogs('opencode', [...storages, ...files])
  if (storage !== undefined) {
    for (const each of storedSessions(storage)) yield { file: storage, session: readOpencode(each) }
  }
  if (file === undefined) return
  try {
    for (const each of databaseSessions(file)) yield { file, session: readOpencode(each) }
  } catch (error) {
    yield { file, failure: reasonOf(error) }
  }
}

/** A named file is a log whatever its name is. */
function logFiles(place: string, isLog: (name: string) => boolean, depth: number): string[] {
  const stats = statSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [place]
  if (!stats.isDirectory() || depth > maxDepth) return []
  return readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = path.join(place, entry.name)
      if (entry.isDirectory()) return logFiles(inner, isLog, depth + 1)
      return entry.isFile() && isLog(entry.name) ? [inner] : []
    })
}

function noLogs(program: string, places: readonly string[]): ZeeError {
  const where = places.length === 0 ? 'HOME is not set' : `looked in ${places.join(', ')}`
  return new ZeeError('no_logs', `no logs of ${program} found (${where})`)
}
