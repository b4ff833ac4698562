// The places where the programs keep what they record: sessions of zdx, output roots of zcl, folders with
// traces of zeno. zee looks in the current project and in every project that has a session.
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import path from 'node:path'
import { leadsOutOf } from '@zee/core/contained-path'
import type { Host } from '@zee/core/exit'
import { listSessions, type SessionEntry } from '@zee/agent'
import { baseFolder, projectRoot, sessionsFolder } from '@zee/agent/project'
import { summarizeSession, type SessionSummary } from '@zee/agent/sessions'

export interface StoredSession extends SessionEntry, SessionSummary {}

export interface Places {
  /** The folder of zdx. */
  base: string
  /** The folder of the session files. */
  folder: string
  /** Newest first. */
  sessions: readonly StoredSession[]
  /** The current project first. */
  projects: readonly string[]
  /** Existing output roots of zcl. */
  outRoots: readonly string[]
}

export function findPlaces(host: Pick<Host, 'env' | 'cwd'>): Places {
  const { base, folder } = sessionFolders(host)
  const sessions = listSessions(folder).map((entry) => ({ ...entry, ...summary(folder, entry) }))
  const roots = sessions.flatMap(({ root }) => root ?? [])
  return { base, folder, sessions, ...projectPlaces(host, roots) }
}

export function sessionFolders({
  env,
  cwd,
}: Pick<Host, 'env' | 'cwd'>): Pick<Places, 'base' | 'folder'> {
  const base = baseFolder(env, cwd)
  return { base, folder: sessionsFolder(base) }
}

/** `roots` are the projects of sessions. */
export function projectPlaces(
  { env, cwd }: Pick<Host, 'env' | 'cwd'>,
  roots: readonly string[],
): Pick<Places, 'projects' | 'outRoots'> {
  const projects = unique([projectRoot(cwd), ...roots])
  const configured = env.ZCL_OUT_ROOT ? [path.resolve(cwd, env.ZCL_OUT_ROOT)] : []
  const outRoots = unique([
    ...configured,
    ...[cwd, ...projects]
      .map((project) => path.join(project, '.zcl'))
      .filter((folder) => !leadsOutOf(path.dirname(folder), path.join(folder, 'runs'))),
  ]).filter((folder) => existsSync(path.join(folder, 'runs')))
  return { projects, outRoots }
}

/**
 * The traces of zeno, newest first: all JSON lines below zeno's folders, and the files with trace events that lie in a
 * project or the working folder themselves.
 */
export function findTraces(
  projects: readonly string[],
  { env, cwd }: Pick<Host, 'env' | 'cwd'>,
): TraceFile[] {
  const folders = unique([
    ...(env.ZENO_ROOT ? [path.resolve(cwd, env.ZENO_ROOT)] : []),
    ...projects.flatMap((project) =>
      ['.zeno', '.codex/zeno', '.claude/zeno']
        .map((name) => path.join(project, name))
        .filter((folder) => !leadsOutOf(project, folder)),
    ),
  ])
  const found = [
    ...folders.flatMap((folder) => jsonLinesFiles(folder, { recursive: true })),
    ...unique([...projects, cwd])
      .flatMap((folder) => jsonLinesFiles(folder, { recursive: false }))
      .filter(({ file }) => startsLikeTrace(file)),
  ]
  // ZENO_ROOT may be a project or lie in one; a file is listed once.
  return [...new Map(found.map((trace) => [trace.file, trace])).values()].sort(
    (a, b) => b.modifiedMs - a.modifiedMs || (a.file < b.file ? -1 : 1),
  )
}

export interface TraceFile {
  file: string
  modifiedMs: number
  bytes: number
}

/** A session that cannot be read is listed by its id alone. */
function summary(folder: string, entry: SessionEntry): SessionSummary {
  try {
    return summarizeSession(folder, entry)
  } catch {
    return {}
  }
}

function jsonLinesFiles(folder: string, { recursive }: { recursive: boolean }): TraceFile[] {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    return []
  }
  return names.flatMap((name) => {
    if (!name.endsWith('.jsonl')) return []
    const file = path.join(folder, name)
    const stats = lstatSync(file, { throwIfNoEntry: false })
    return stats?.isFile() === true ? [{ file, modifiedMs: stats.mtimeMs, bytes: stats.size }] : []
  })
}

/** Whether the first line is an event as zeno writes it: time, then event. */
function startsLikeTrace(file: string): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const start = Buffer.alloc(100)
    const bytes = readSync(descriptor, start, 0, start.length, 0)
    const text = start.toString('latin1', 0, bytes)
    return /^\{ ?"ts": ?"[^"]{1,40}", ?"event": ?"/.test(text)
  } catch {
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function unique(folders: readonly string[]): string[] {
  return [...new Set(folders)]
}
