// stat: size, time and kind of some paths.
import { statSync } from 'node:fs'
import { resolveContained } from '@zee/core/contained-path'
import { ZeeError } from '@zee/core/errors'
import { argumentError, textArgument, textsArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import { isHidden } from '../deny/deny.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, offsetFrom, cutPage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import type { Revision } from '../revision/revision.ts'
import { outsideError, pathError, pathInRoot, systemError } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'
import type { RevisionArgs } from './revision.ts'
import type { Steps } from '../steps.ts'

/** At least one path is required. */
export interface StatArgs extends RevisionArgs, RequestArgs {
  path?: string | undefined
  paths?: string | readonly string[] | undefined
}

export type StatItem =
  | {
      path: string
      exists: true
      size: number
      mtime: number
      mtime_iso: string
      is_file: boolean
      is_dir: boolean
    }
  | { path: string; exists: false; error: string }

export interface StatResult {
  items: StatItem[]
  next_cursor?: string
  metrics: Metrics
}

export function* stat(engine: Engine, args: Arguments): Steps<StatResult> {
  const time = requestTime(engine, args)
  const single = textArgument(args, 'path')
  const paths = [...(single === undefined ? [] : [single]), ...textsArgument(args, 'paths')]
  if (paths.length === 0) throw argumentError('missing path')
  const paging = pagingOf('stat', args)
  const items: StatItem[] = []
  for (const path of paths) {
    const { revision, root } = engine
    items.push(revision === undefined ? statItem(root, path) : statRevision(revision, path))
    yield
  }
  const from = offsetFrom(paging.position)
  const page = cutPage(items.slice(from), paging)
  return {
    items: page.items,
    ...(page.isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: metricsOf(time, 0, items.length),
  }
}

function statItem(root: CorpusRoot, path: string): StatItem {
  const missing = (error: ZeeError): StatItem => ({
    path,
    exists: false,
    error: error.message,
  })
  const resolved = resolveContained(root.folder, pathInRoot(root, path))
  if (resolved.failure === 'outside') throw outsideError()
  if (resolved.failure !== undefined) return missing(pathError(root, path, resolved))
  try {
    const found = statSync(resolved.absolute, { bigint: true })
    if (found.isFile() && isHidden(root.deny, resolved.path)) {
      return missing(new ZeeError('denied', 'denied by rule: allow'))
    }
    const seconds = Number(found.mtimeNs / 1_000_000_000n)
    return {
      path: resolved.path,
      exists: true,
      size: Number(found.size),
      mtime: seconds + Number(found.mtimeNs % 1_000_000_000n) * 1e-9,
      mtime_iso: isoSeconds(found.mtimeNs),
      is_file: found.isFile(),
      is_dir: found.isDirectory(),
    }
  } catch (error) {
    return missing(systemError(root, path, error))
  }
}

/** The time is that of the commit: git stores none for a file. */
function statRevision(revision: Revision, path: string): StatItem {
  try {
    const found = revision.entryAt(path)
    const isFile = found.kind === 'file'
    const { time } = revision.commit.committer
    return {
      path: found.path,
      exists: true,
      size: isFile ? revision.reader.blobs.read(found.object).length : 0,
      mtime: time,
      mtime_iso: isoSeconds(BigInt(time) * 1_000_000_000n),
      is_file: isFile,
      is_dir: !isFile,
    }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code === 'outside') throw error
    return { path, exists: false, error: error.message }
  }
}

/** UTC in seconds, rounded down (also before 1970). */
function isoSeconds(nanoseconds: bigint): string {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const date = new Date(Number((nanoseconds - rest) / 1_000_000n))
  return `${date.toISOString().slice(0, -5)}Z`
}
