// summary: size of the corpus, in total and by file extension.
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { flagIf, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, offsetFrom, cutPage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { SelectedTexts } from './selection/selection.ts'
import type { SelectionArgs } from './selection/selection.ts'
import type { Excluded } from '../walk/walk.ts'
import type { Steps } from '../steps.ts'

export interface SummaryArgs extends SelectionArgs, RequestArgs {
  glob?: string | undefined
}

export interface SummaryCount {
  files: number
  bytes: number
  chars: number
  lines: number
}

export interface SummaryResult extends SummaryCount {
  /** By extension with its dot (`""` for none), largest first. */
  by_extension: Record<string, SummaryCount>
  /** Unreadable files, which the counts omit. */
  unreadable?: number
  scan_limited?: true
  partial?: true
  next_cursor?: string
  /** What the default rules hide; absent where the walk ended early. */
  excluded?: Excluded
  /** Files that a rule denies. */
  skipped_denied?: number
  metrics: Metrics
}

export function* summary(engine: Engine, args: Arguments): Steps<SummaryResult> {
  const time = requestTime(engine, args)
  const paging = pagingOf('summary', args)
  const texts = new SelectedTexts(engine, args, time)
  const total = zeroCount()
  const extensions = new Map<string, SummaryCount>()
  try {
    for (let next = yield* texts.next(); next !== undefined; next = yield* texts.next()) {
      const name = extensionOf(next.path)
      const ofExtension = extensions.get(name) ?? zeroCount()
      extensions.set(name, ofExtension)
      for (const count of [total, ofExtension]) {
        count.files++
        count.bytes += next.text.bytes
        count.chars += next.text.chars
        count.lines += next.text.lines
      }
    }
  } finally {
    texts.close()
  }
  const sorted = [...extensions].sort(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1))
  const from = offsetFrom(paging.position)
  const page = cutPage(sorted.slice(from), paging)
  return {
    ...total,
    by_extension: Object.fromEntries(page.items),
    ...(texts.unreadable > 0 ? { unreadable: texts.unreadable } : {}),
    ...flagIf('scan_limited', texts.isLimited),
    ...flagIf('partial', texts.isExpired),
    ...(page.isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    ...(yield* texts.excludedFields()),
    metrics: metricsOf(time, total.chars, texts.scanned),
  }
}

function zeroCount(): SummaryCount {
  return { files: 0, bytes: 0, chars: 0, lines: 0 }
}

/** `.ts` for `src/a.ts`; a leading dot starts a name, not an extension. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : ''
}
