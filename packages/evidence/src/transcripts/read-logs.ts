// Finds and reads the logs of other agents: all of them, or those at a path. A builder receives the
// conversation of each session.
import { logPlaces, opencodeDatabase } from '../runners/runners.ts'
import { readBoundedFile } from '@zee/core/bounded-file'
import { readJournalSync } from '@zee/core/journal'
import { parseObject } from '@zee/core/json'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { LogSession, TranscriptBuilder } from './builder.ts'
import { readClaude } from './claude.ts'
import { readCodex } from './codex.ts'
import { readGemini } from './gemini.ts'
import { filesBelow, maxLogBytes } from './log-files.ts'
import type { Loose } from './log-values.ts'
import { objectAt } from './log-values.ts'
import { readOpencode, type OpencodeSession } from './opencode.ts'
import { databaseSessions, exportedSession, storedSessions } from './opencode-store.ts'
import { readPi } from './pi.ts'
import type { Decompress } from '../zstd/zstd.ts'

const logLimit = { maxBytes: maxLogBytes }

/** The programs whose logs can be imported. */
export const transcriptPrograms = ['codex', 'claude', 'opencode', 'gemini', 'pi'] as const
export type ImportProgram = (typeof transcriptPrograms)[number]

type ReadLog = (
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  fallbackId: string,
  file: string,
) => LogSession

const readers: Readonly<Record<Exclude<ImportProgram, 'opencode'>, ReadLog>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  pi: readPi,
}

/** A session, or why a log could not be read. */
export type LogReading<Builder> =
  | { file: string; session: LogSession; builder: Builder; failure?: undefined }
  | { file: string; session?: undefined; builder?: undefined; failure: string }

export interface LogPlace {
  program: ImportProgram
  /** A file or folder; by default the places where the program stores its logs. */
  named: string | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Decompresses logs that end with `.zst`; such logs fail without it. */
  unzstd?: Decompress
}

/** Reads each log with a builder of its own. */
export function* readLogs<Builder extends TranscriptBuilder>(
  { program, named, env, unzstd }: LogPlace,
  newBuilder: () => Builder,
): Generator<LogReading<Builder>> {
  if (program === 'opencode') {
    yield* readOpencodeLogs({ named, env }, newBuilder)
    return
  }
  const places = logPlaces(program)
  const roots = named === undefined ? places.roots(env) : [named]
  const isLog = (name: string) =>
    program === 'gemini' ? /^session-.*\.jsonl?$/.test(name) : places.isLog(name)
  const files = roots.flatMap((root) => filesBelow(root, isLog).map(({ file }) => file))
  if (files.length === 0) throw noLogs(program, roots)
  for (const file of files) yield readLogFile(program, file, newBuilder(), unzstd)
}

/** The session of one log, given its lines. */
export function readTranscript(
  program: Exclude<ImportProgram, 'opencode'>,
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  { fallbackId, file }: { fallbackId: string; file: string },
): LogSession {
  return readers[program](builder, lines, fallbackId, file)
}

function readLogFile<Builder extends TranscriptBuilder>(
  program: Exclude<ImportProgram, 'opencode'>,
  file: string,
  builder: Builder,
  unzstd: LogPlace['unzstd'],
): LogReading<Builder> {
  const fallbackId = path.basename(file).replace(/\.jsonl?(\.zst)?$/, '')
  try {
    if (statSync(file).size > maxLogBytes) return { file, failure: 'it is larger than 256 MiB' }
    const isCompressed = file.endsWith('.zst')
    if (isCompressed && unzstd === undefined)
      return { file, failure: 'it is compressed: decompress it with zstd -d' }
    const { lines, skipped } =
      isCompressed && unzstd !== undefined
        ? linesOf(unzstd(readBoundedFile(file, logLimit), maxLogBytes).toString('utf8'))
        : readLines(file)
    const session = readTranscript(program, builder, lines, { fallbackId, file })
    return { file, session: { ...session, unread: session.unread + skipped }, builder }
  } catch (error) {
    return { file, failure: reasonOf(error) }
  }
}

function readLines(file: string): { lines: Loose[]; skipped: number } {
  if (file.endsWith('.json')) {
    return {
      lines: [objectAt(JSON.parse(readBoundedFile(file, logLimit).toString('utf8')))],
      skipped: 0,
    }
  }
  const lines: Loose[] = []
  const { skippedLines } = readJournalSync(file, ({ record }) => void lines.push(record))
  return { lines, skipped: skippedLines }
}

function linesOf(text: string): { lines: Loose[]; skipped: number } {
  const parsed = text.split('\n').filter((line) => line.trim() !== '')
  const lines = parsed.flatMap((line): Loose[] => {
    const record = parseObject(line)
    return record === undefined ? [] : [record]
  })
  return { lines, skipped: parsed.length - lines.length }
}

function* readOpencodeLogs<Builder extends TranscriptBuilder>(
  { named, env }: Pick<LogPlace, 'named' | 'env'>,
  newBuilder: () => Builder,
): Generator<LogReading<Builder>> {
  const read = (place: string, each: OpencodeSession): LogReading<Builder> => {
    const builder = newBuilder()
    return { file: place, session: readOpencode(builder, each), builder }
  }
  const exported = named === undefined ? undefined : exportedSession(named)
  if (named !== undefined && exported !== undefined) {
    yield read(named, exported)
    return
  }
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
    for (const each of storedSessions(storage)) yield read(storage, each)
  }
  if (file === undefined) return
  try {
    for (const each of databaseSessions(file)) yield read(file, each)
  } catch (error) {
    yield { file, failure: reasonOf(error) }
  }
}

function noLogs(program: string, places: readonly string[]): ZeeError {
  const where = places.length === 0 ? 'HOME is not set' : `looked in ${places.join(', ')}`
  return new ZeeError('no_logs', `no logs of ${program} found (${where})`)
}
