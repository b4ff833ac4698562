// references: the lines that use a name as a whole word, classified with the scanners of the languages.
import type { Engine } from '../../engine.ts'
import type { Steps } from '../../steps.ts'
import type { Excluded } from '../../walk/walk.ts'
import { numberArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { requestTime } from '../request-time.ts'
import type { SelectionArgs } from '../selection/selection.ts'
import type { GrepResult } from '../grep/grep.ts'
import type { LineHit } from '../../search/search.ts'
import { searchFor } from './candidates.ts'
import { knownUsesOf, referenceSize } from './known-uses.ts'
import type { Reference } from './known-uses.ts'
import { wholeWord } from './whole-words.ts'

export type { Reference }

export interface ReferencesArgs extends SelectionArgs, RequestArgs {
  name: string
  glob?: string | undefined
  max?: number | undefined
}

export interface ReferencesResult {
  /** In path and line order, one for each line. */
  references: Reference[]
  truncated: boolean
  scan_limited?: true
  partial?: true
  excluded?: Excluded
  skipped_denied?: number
  next_cursor?: string
  metrics: Metrics & { references: number }
}

export function* references(engine: Engine, args: Arguments): Steps<ReferencesResult> {
  const time = requestTime(engine, args)
  const name = requiredText(args, 'name')
  const max = numberArgument(args, 'max', 200)
  const paging = pagingOf('references', args)
  const from = offsetFrom(paging.position)
  const wanted = { pattern: name, regex: false, mode: 'hits', max_hits: from + max + 1 } as const
  const isWord = wholeWord(name)
  const known = knownUsesOf(engine, name)
  const stamps = new Map<string, string | undefined>()
  const found = yield* searchFor(engine, args, wanted, {
    choose({ path, bytes, lines, stamp }) {
      const chosen = lines.filter((line) => isWord(bytes, line))
      if (chosen.length === 0 && stamp !== undefined) known.set(path, stamp, [])
      else stamps.set(path, stamp)
      return chosen
    },
    known: (path, stamp) => known.get(path, stamp),
    foundNothing: (path, stamp) => known.set(path, stamp, []),
  })
  const all = found.hits as (LineHit | Reference)[]
  const rows: Reference[] = []
  for (const { path, hits, isWhole } of filesIn(all, from, from + max)) {
    const isKnown = areClassified(hits)
    if (!isKnown) yield
    const stamp = stamps.get(path)
    const classified = isKnown ? hits : known.classify(engine, { path, stamp, hits, isWhole })
    for (const reference of classified) rows.push(reference)
  }
  const page = cutPage(rows, paging, referenceSize)
  const isCut = page.isCut || all.length > from + max
  return {
    references: page.items,
    truncated: isCut,
    ...limitsOf(found),
    ...(isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: {
      ...metricsOf(time, found.metrics.bytes_read, found.metrics.files_scanned),
      references: page.items.length,
    },
  }
}

interface FileHits {
  path: string
  hits: readonly (LineHit | Reference)[]
  /** The file has no hits outside the range. */
  isWhole: boolean
}

/** The hits from `from` to `to`, by file. There is one hit more if the search ended early. */
function* filesIn(
  all: readonly (LineHit | Reference)[],
  from: number,
  to: number,
): Generator<FileHits> {
  const last = Math.min(to, all.length)
  for (let at = from; at < last;) {
    const { path } = all[at] as LineHit
    let end = at + 1
    while (end < last && all[end]?.path === path) end++
    const isWhole = all[at - 1]?.path !== path && all[end]?.path !== path
    yield { path, hits: all.slice(at, end), isWhole }
    at = end
  }
}

/** A file's hits come from the search, or all of them are known uses. */
function areClassified(hits: readonly (LineHit | Reference)[]): hits is Reference[] {
  return hits[0] !== undefined && 'kind' in hits[0]
}

function limitsOf({
  scan_limited,
  partial,
  excluded,
  skipped_denied: denied,
}: GrepResult): Partial<ReferencesResult> {
  return {
    ...flagIf('scan_limited', scan_limited === true),
    ...flagIf('partial', partial === true),
    ...(excluded === undefined ? {} : { excluded }),
    ...(denied === undefined ? {} : { skipped_denied: denied }),
  }
}
