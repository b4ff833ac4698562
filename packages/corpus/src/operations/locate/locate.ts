// locate: files and lines for a text in natural language, such as an issue. Loaded lazily.
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import { sha256 } from '../../hash.ts'
import { bestSpans, ExampleList, questionOf, rankFiles, rankMemory } from '../../rank/rank.ts'
import type { Ranked } from '../../rank/rank.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import { decodeText } from '../../text/text.ts'
import { hasReadFault } from '../../walk/walk.ts'
import type { Excluded } from '../../walk/walk.ts'
import { numberArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { openBytes } from '../read/read.ts'
import { requestTime } from '../request-time.ts'
import { citeField } from '../revision.ts'
import type { SelectionArgs } from '../selection/selection.ts'
import { readDocuments } from './documents.ts'

export interface LocateArgs extends SelectionArgs, RequestArgs {
  text: string
  max?: number | undefined
  glob?: string | undefined
}

export interface LocatedSpan {
  start_line: number
  end_line: number
  /** Of the lines, as `read_file` computes it. */
  sha256: string
  cite?: string
}

export interface Located {
  path: string
  score: number
  /** In line order; the first lines where only the path or the history matched, none of an empty file. */
  spans: LocatedSpan[]
  /** Terms that matched: plain in the content, `path:`, `symbol:`, and what the history says. */
  why: string[]
}

export interface LocateResult {
  /** Best first. */
  results: Located[]
  truncated: boolean
  scan_limited?: true
  partial?: true
  /** Files whose contents were not ranked, because the memory for terms is used up. */
  names_only?: number
  /** Files that the disk did not return, or that no descriptor was left for. */
  unreadable?: number
  excluded?: Excluded
  skipped_denied?: number
  next_cursor?: string
  metrics: Metrics
}

const maxSpans = 3

export function* locate(engine: Engine, args: Arguments): Steps<LocateResult> {
  const time = requestTime(engine, args)
  const text = requiredText(args, 'text')
  const max = numberArgument(args, 'max', 10)
  const paging = pagingOf('locate', args)
  const from = offsetFrom(paging.position)
  const question = questionOf(text)
  const files = yield* readDocuments(engine, args, time)
  const { documents } = files
  const examples = yield* examplesFor(engine)
  const { ranked, rarity } = rankFiles({ question, documents, examples, max: from + max + 1 })
  const terms = new Map(
    question.terms.map((term, at) => [
      term,
      { rarity: rarity(at), spelling: question.spellings[at] ?? term },
    ]),
  )
  const rows: Located[] = []
  for (const each of ranked.slice(from, from + max)) {
    yield
    const lines = linesOf(engine, each.document.path)
    if (lines === undefined) files.unreadable++
    rows.push(locatedFile(engine, each, terms, lines))
  }
  const page = cutPage(rows, paging)
  const namesOnly = documents.filter(({ isNamesOnly }) => isNamesOnly).length
  const isCut = page.isCut || ranked.length > from + max
  return {
    results: page.items,
    truncated: isCut,
    ...flagIf('scan_limited', files.isLimited),
    ...flagIf('partial', files.isExpired),
    ...(namesOnly === 0 ? {} : { names_only: namesOnly }),
    ...(files.unreadable === 0 ? {} : { unreadable: files.unreadable }),
    ...files.hidden,
    ...(isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: metricsOf(time, 0, documents.length),
  }
}

/** Commits up to the revision, or up to HEAD; none without a repository or without commits. */
function* examplesFor(engine: Engine): Steps<ExampleList> {
  try {
    const reader = yield* wait(engine.revisions.open())
    const { commit } = engine.revision ?? reader.at('HEAD')
    return yield* rankMemory(engine.root).examples.before(reader, commit)
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'git') return new ExampleList([])
    throw error
  }
}

/** The terms of the text, by their stems. */
type QuestionTerms = ReadonlyMap<string, { rarity: number; spelling: string }>

function locatedFile(
  engine: Engine,
  ranked: Ranked,
  terms: QuestionTerms,
  lines: readonly string[] = [],
): Located {
  const { path } = ranked.document
  const rarity = (term: string): number => terms.get(term)?.rarity ?? 0
  const spans = bestSpans(lines, [...terms.keys()], rarity, maxSpans).map(({ start, end }) => ({
    start_line: start,
    end_line: end,
    sha256: sha256(lines.slice(start - 1, end).join('\n')),
    ...citeField(engine, path, start, end),
  }))
  const score = Math.round(ranked.score * 10_000) / 10_000
  return { path, score, spans, why: reasonsFor(ranked, terms) }
}

/** Terms of the content first, the rarest before the others. */
function reasonsFor(ranked: Ranked, question: QuestionTerms): string[] {
  const { terms, pathTerms, symbolTerms, isMentioned, commits, hasMessages, partner } = ranked
  const history =
    commits > 0
      ? `${commits} similar commit${commits === 1 ? '' : 's'}`
      : 'words of earlier commits'
  const rarity = (term: string): number => question.get(term)?.rarity ?? 0
  const spelling = (term: string): string => question.get(term)?.spelling ?? term
  return [
    ...terms.toSorted((a, b) => rarity(b) - rarity(a)).map(spelling),
    ...pathTerms.map((term) => `path:${spelling(term)}`),
    ...symbolTerms.map((term) => `symbol:${spelling(term)}`),
    ...(isMentioned ? ['named in the text'] : []),
    ...(commits > 0 || hasMessages ? [`history:${history}`] : []),
    ...(partner === undefined ? [] : [`${partner.kind}:${partner.path}`]),
  ]
}

/** None of a file that is gone or denied meanwhile; undefined if the disk does not return it. */
function linesOf(engine: Engine, path: string): string[] | undefined {
  try {
    const file = openBytes(engine, path)
    const bytes = Buffer.allocUnsafe(file.size)
    const text = decodeText(bytes.subarray(0, file.read(bytes, 0)))
    file.close()
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    return engine.revision === undefined && hasReadFault(engine.root, path) ? undefined : []
  }
}
