// log: the commits that changed a path, or that added or removed a text.
import { denyingRule } from '../../deny/deny.ts'
import type { Engine } from '../../engine.ts'
import { subjectOf } from '../../git/git.ts'
import type { Commit } from '../../git/git.ts'
import { logOf } from '../../history/history.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import { numberArgument, textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { requestTime } from '../request-time.ts'
import type { RevisionArgs } from '../revision.ts'

export interface LogArgs extends RevisionArgs, RequestArgs {
  /** Commits that changed this file or folder. */
  path?: string | undefined
  /** Commits that change how often this text occurs, as `git log -S`. */
  pattern?: string | undefined
  max?: number | undefined
}

export interface LogRow {
  commit: string
  author: string
  email: string
  /** Of the author, in UTC. */
  time: string
  subject: string
}

export interface LogResult {
  /** Newest first. */
  commits: LogRow[]
  truncated: boolean
  partial?: true
  next_cursor?: string
  rev?: string
  metrics: Metrics
}

export function* log(engine: Engine, args: Arguments): Steps<LogResult> {
  const time = requestTime(engine, args)
  const max = numberArgument(args, 'max', 200)
  const paging = pagingOf('log', args)
  const requested = textArgument(args, 'path')
  const pattern = textArgument(args, 'pattern')
  const reader = yield* wait(engine.revisions.open())
  const start = (engine.revision ?? reader.at('HEAD')).commit
  const path = reader.repositoryPath(requested ?? '.')
  const from = offsetFrom(paging.position)
  const { deny } = engine.root
  const isDenied = (file: string): boolean =>
    denyingRule(deny, file.slice(reader.prefix.length)) !== undefined
  const text = pattern === undefined ? undefined : Buffer.from(pattern)
  const rows: LogRow[] = []
  let [walked, skipped, isExpired, hasMore] = [0, 0, false, false]
  for (const commit of logOf(reader, { start, path, text, isDenied })) {
    yield
    walked++
    if (time.remainingMs() <= 0) {
      isExpired = true
      break
    }
    if (commit === undefined || skipped++ < from) continue
    if (rows.length === max) {
      hasMore = true
      break
    }
    rows.push({ commit: commit.name, ...personOf(commit), subject: subjectOf(commit) })
  }
  const page = cutPage(rows, paging)
  const isCut = page.isCut || hasMore
  return {
    commits: page.items,
    truncated: isCut,
    ...flagIf('partial', isExpired),
    ...(isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: metricsOf(time, 0, walked),
  }
}

/** The author of a commit, as rows show it. */
export function personOf({ author }: Commit): Pick<LogRow, 'author' | 'email' | 'time'> {
  const { name, email, time } = author
  return { author: name, email, time: isoTime(time) }
}

function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, -5)}Z`
}
