// references: the lines that use a name as a whole word, classified with the scanners of the languages.
import type { Engine } from '../../engine.ts'
import type { Steps } from '../../steps.ts'
import type { Excluded } from '../../walk/walk.ts'
import type { UseKind } from '../../symbols/symbols.ts'
import { numberArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { requestTime } from '../request-time.ts'
import type { SelectionArgs } from '../selection/selection.ts'
import type { GrepResult } from '../grep/grep.ts'
import { searchFor, wordPattern } from './candidates.ts'
import { useKinds } from './use-kinds.ts'
import type { UseKinds } from './use-kinds.ts'

export interface ReferencesArgs extends SelectionArgs, RequestArgs {
  name: string
  glob?: string | undefined
  max?: number | undefined
}

export interface Reference {
  path: string
  line: number
  kind: UseKind
  text: string
  cite?: string
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
  const wanted = { pattern: wordPattern(name), mode: 'hits' as const, max_hits: from + max + 1 }
  const found = yield* searchFor(engine, args, wanted)
  const all = found.hits.flatMap((hit) => ('line' in hit ? [hit] : []))
  const rows: Reference[] = []
  let kinds: UseKinds = new Map()
  let path: string | undefined
  for (const hit of all.slice(from, from + max)) {
    if (hit.path !== path) {
      yield
      path = hit.path
      kinds = useKinds(engine, path, name)
    }
    const { line, text, cite } = hit
    const kind = kinds.get(line) ?? 'other'
    rows.push({ path, line, kind, text, cite })
  }
  const page = cutPage(rows, paging)
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
