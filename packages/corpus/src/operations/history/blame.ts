// blame: the commit that last changed each line of a file. Without `rev` it blames the file on the disk; lines that
// are not committed yet have a commit of zeroes. Like git, it blames a link itself and not the file it leads to.
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { resolveContained } from '@zee/core/contained-path'
import { denyingRule } from '../../deny/deny.ts'
import type { Engine } from '../../engine.ts'
import { gitError, subjectOf } from '../../git/git.ts'
import type { Commit } from '../../git/git.ts'
import { blame as blameFile } from '../../history/history.ts'
import type { BlamedLines } from '../../history/history.ts'
import type { RevisionReader } from '../../revision/revision.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import { argumentError, listArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { openBytes } from '../read/read.ts'
import { requestTime } from '../request-time.ts'
import type { RevisionArgs } from '../revision.ts'
import { personOf } from './log.ts'
import type { LogRow } from './log.ts'

export interface BlameArgs extends RevisionArgs, RequestArgs {
  path: string
  /** First and last line; the whole file by default. */
  lines?: readonly number[] | undefined
}

export interface BlameRow extends LogRow {
  start_line: number
  end_line: number
  /** The path in that commit, and the first line there. */
  path: string
  original_line: number
}

export interface BlameResult {
  path: string
  lines: BlameRow[]
  truncated: boolean
  partial?: true
  next_cursor?: string
  rev?: string
  metrics: Metrics
}

interface Target {
  path: string
  kind: 'file' | 'link'
  start: Commit
  object: string
  bytes: Buffer
  content?: { object: string; bytes: Buffer }
}

export function* blame(engine: Engine, args: Arguments): Steps<BlameResult> {
  const time = requestTime(engine, args)
  const requested = requiredText(args, 'path')
  const paging = pagingOf('blame', args)
  const reader = yield* wait(engine.revisions.open())
  const target = targetOf(engine, reader, requested)
  const { first, last } = linesOf(args, countLines(target.bytes))
  const found: BlamedLines[] = []
  const { kind, start, object, content } = target
  const request = { start, path: reader.prefix + target.path, kind, object, first, last, content }
  let isExpired = false
  for (const _ of last < first ? [] : blameFile(reader, request, found)) {
    yield
    isExpired = time.remainingMs() <= 0
    if (isExpired) break
  }
  const rows = merged(found).map((lines) => rowOf(lines, reader.prefix))
  const from = offsetFrom(paging.position)
  const page = cutPage(rows.slice(from), paging)
  return {
    path: target.path,
    lines: page.items,
    truncated: page.isCut,
    ...flagIf('partial', isExpired),
    ...(page.isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: metricsOf(time, 0, 1),
  }
}

function targetOf(engine: Engine, reader: RevisionReader, requested: string): Target {
  const revision = engine.revision ?? reader.at('HEAD')
  const link = linkAt(reader, revision.commit, requested)
  if (engine.revision !== undefined) {
    const { path, object } = link ?? revision.entryAt(requested)
    const bytes = link?.bytes ?? revision.read(requested).bytes
    return { path, kind: link?.kind ?? 'file', start: revision.commit, object, bytes }
  }
  const found = link === undefined ? undefined : linkOnDisk(reader, link.path)
  if (link !== undefined && found !== undefined) {
    return withDisk(revision.commit, link, found)
  }
  const file = openBytes(engine, requested)
  const bytes = Buffer.allocUnsafeSlow(file.size)
  file.read(bytes, 0)
  file.close()
  const { path } = file
  const entry = reader.repository.entryAt(revision.commit.tree, reader.prefix + path)
  if (entry?.kind !== 'file') throw gitError(`no such path in HEAD: ${path}`)
  const committed = { path, kind: entry.kind, object: entry.object }
  return withDisk(revision.commit, { ...committed, bytes: reader.blobs.read(entry.object) }, bytes)
}

type Committed = Pick<Target, 'path' | 'kind' | 'object' | 'bytes'>

/** Starts at HEAD if the file on the disk is the committed one, or else at its changes. */
function withDisk(head: Commit, committed: Committed, bytes: Buffer): Target {
  if (committed.bytes.equals(bytes)) return { ...committed, start: head }
  const start = uncommitted(head)
  const content = { object: start.name, bytes }
  return { ...committed, start, object: start.name, bytes, content }
}

/** The link that a commit has at a path; undefined if there is a file, a folder or nothing. */
function linkAt(
  reader: RevisionReader,
  { tree }: Commit,
  requested: string,
): Committed | undefined {
  if (reader.root.onlyFile !== undefined) return undefined
  const full = reader.repositoryPath(requested)
  const entry = reader.repository.entryAt(tree, full)
  if (entry?.kind !== 'link') return undefined
  const path = full.slice(reader.prefix.length)
  const rule = denyingRule(reader.root.deny, path)
  if (rule !== undefined) throw new ZeeError('denied', `denied by rule: ${rule}`)
  const { kind, object } = entry
  return { path, kind, object, bytes: reader.blobs.read(object) }
}

/** The target of a link on the disk; undefined if there is none at this path. */
function linkOnDisk({ root }: RevisionReader, link: string): Buffer | undefined {
  const folder = resolveContained(root.folder, path.dirname(link))
  if (folder.failure !== undefined || typeof folder.absolute !== 'string') return undefined
  try {
    return readlinkSync(path.join(folder.absolute, path.basename(link)), 'buffer')
  } catch {
    return undefined
  }
}

/** Stands for the changes on the disk. */
function uncommitted(head: Commit): Commit {
  const author = { ...head.committer, name: 'Not Committed Yet', email: 'not.committed.yet' }
  const name = '0'.repeat(head.name.length)
  const parents = [head.name]
  return { name, tree: '', parents, author, committer: author, message: 'not committed yet' }
}

function linesOf(args: Arguments, count: number): { first: number; last: number } {
  if ((args.lines ?? undefined) === undefined) return { first: 1, last: count }
  const [first, last, ...more] = listArgument(args, 'lines').map((line) =>
    typeof line === 'string' && /^\d+$/.test(line) ? Number(line) : line,
  )
  const isLine = (line: unknown): line is number => Number.isSafeInteger(line) && Number(line) > 0
  if (!isLine(first) || !isLine(last) || more.length > 0 || last < first) {
    throw argumentError('lines must be [first, last], from 1')
  }
  if (first > count) throw argumentError(`the file has only ${count} lines`)
  return { first, last: Math.min(last, count) }
}

/** Lines as git counts them: each ends with a line feed or with the file. */
function countLines(bytes: Buffer): number {
  let count = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count++
  return count
}

/** In line order; adjacent lines of the same commit and file are one range. */
function merged(found: readonly BlamedLines[]): BlamedLines[] {
  const ranges: BlamedLines[] = []
  for (const lines of found.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    const follows =
      last?.commit === lines.commit &&
      last.path === lines.path &&
      last.originalStart + (last.end - last.start) + 1 === lines.originalStart
    if (last !== undefined && follows) last.end = lines.end
    else ranges.push({ ...lines })
  }
  return ranges
}

function rowOf({ start, end, commit, path, originalStart }: BlamedLines, prefix: string): BlameRow {
  return {
    start_line: start,
    end_line: end,
    commit: commit.name,
    ...personOf(commit),
    subject: subjectOf(commit),
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    original_line: originalStart,
  }
}
