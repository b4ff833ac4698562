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
import type { LineHit } from '../../search/search.ts'
import { searchFor } from './candidates.ts'
import { knownKindsOf } from './use-kinds.ts'
import type { UseKinds } from './use-kinds.ts'
import { wholeWord } from './whole-words.ts'

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
  text_truncated?: true | undefined
  cite?: string | undefined
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
  const stamps = new Map<string, string | undefined>()
  const found = yield* searchFor(engine, args, wanted, ({ path, bytes, lines, stamp }) => {
    stamps.set(path, stamp)
    return lines.filter((line) => isWord(bytes, line))
  })
  const all = found.hits as LineHit[]
  const rows: Reference[] = []
  const knownKinds = knownKindsOf(engine.root)
  let kinds: UseKinds = new Map()
  let path: string | undefined
  for (const hit of all.slice(from, from + max)) {
    if (hit.path !== path) {
      path = hit.path
      const stamp = stamps.get(path)
      const known = knownKinds.get({ path, stamp, name })
      if (known === undefined) yield
      kinds = known ?? knownKinds.read(engine, { path, stamp, name })
    }
    const { line, text, text_truncated, cite } = hit
    const kind = kinds.get(line) ?? 'other'
    rows.push({ path, line, kind, text, text_truncated, cite })
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
