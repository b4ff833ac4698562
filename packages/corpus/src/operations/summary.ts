// summary: how large the corpus is, in all and by file extension.
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { mark, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, placeNumber, takePage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { SelectedTexts } from './selected-texts.ts'
import type { SelectionArgs } from './selection.ts'
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
  /** By extension with its dot, `""` for none; the largest first. */
  by_extension: Record<string, SummaryCount>
  /** Files that could not be read; they are not in the counts. */
  unreadable?: number
  scan_limited?: true
  partial?: true
  next_cursor?: string
  metrics: Metrics
}

export function* summary(engine: Engine, args: Arguments): Steps<SummaryResult> {
  const time = requestTime(engine, args)
  const paging = pagingOf('summary', args)
  const texts = new SelectedTexts(engine, args, time)
  const total = nothingCounted()
  const extensions = new Map<string, SummaryCount>()
  try {
    for (let next = yield* texts.next(); next !== undefined; next = yield* texts.next()) {
      const name = extensionOf(next.path)
      const own = extensions.get(name) ?? nothingCounted()
      extensions.set(name, own)
      for (const count of [total, own]) {
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
  const from = placeNumber(paging.at)
  const page = takePage(sorted.slice(from), paging.maxChars)
  return {
    ...total,
    by_extension: Object.fromEntries(page.items),
    ...(texts.unreadable > 0 ? { unreadable: texts.unreadable } : {}),
    ...mark('scan_limited', texts.limited),
    ...mark('partial', texts.late),
    ...(page.cut ? { next_cursor: paging.seal(from + page.items.length) } : {}),
    metrics: metricsOf(time, total.chars, texts.scanned),
  }
}

function nothingCounted(): SummaryCount {
  return { files: 0, bytes: 0, chars: 0, lines: 0 }
}

/** `.ts` of `src/a.ts`; a leading dot begins a name, not an extension. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : ''
}
