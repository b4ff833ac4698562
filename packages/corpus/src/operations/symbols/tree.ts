// symbols: the definitions of a whole tree, by name or by glob. For a name, only files that contain it are scanned.
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import type { Steps } from '../../steps.ts'
import type { Excluded } from '../../walk/walk.ts'
import { symbolsIn } from '../../symbols/symbols.ts'
import type { CorpusSymbol } from '../../symbols/symbols.ts'
import { compilePaths } from '../../glob/glob.ts'
import { argumentError, choiceArgument, numberArgument, textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { cutPage, offsetFrom, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { requestTime } from '../request-time.ts'
import { citeField } from '../revision.ts'
import { selectionOf } from '../selection/selection.ts'
import type { SelectionArgs } from '../selection/selection.ts'
import { searchFor, wordPattern } from './candidates.ts'
import { readEntireFile } from './extract.ts'
import { fuzzyScore } from './fuzzy.ts'

/** At least one of `name` and `glob` is required. */
export interface TreeSymbolsArgs extends SelectionArgs, RequestArgs {
  name?: string | undefined
  match?: 'exact' | 'prefix' | 'fuzzy' | undefined
  glob?: string | undefined
  detail?: 'outline' | 'all' | undefined
  max_symbols?: number | undefined
}

export interface TreeSymbol extends CorpusSymbol {
  path: string
  cite?: string
}

export interface TreeSymbolsResult {
  /** In path and line order; with `match: "fuzzy"` the best first. */
  symbols: TreeSymbol[]
  truncated: boolean
  scan_limited?: true
  partial?: true
  excluded?: Excluded
  skipped_denied?: number
  next_cursor?: string
  metrics: Metrics & { symbols: number }
}

type Match = 'exact' | 'prefix' | 'fuzzy'

interface Query {
  name: string | undefined
  match: Match
}

export function* treeSymbols(engine: Engine, args: Arguments): Steps<TreeSymbolsResult> {
  const time = requestTime(engine, args)
  const name = textArgument(args, 'name')
  const match = choiceArgument(args, 'match', ['exact', 'prefix', 'fuzzy'], 'exact')
  const detail = choiceArgument(args, 'detail', ['outline', 'all'], 'outline')
  const max = numberArgument(args, 'max_symbols', 400)
  const paging = pagingOf('symbols', args)
  if (name === undefined && textArgument(args, 'glob') === undefined) {
    throw argumentError('missing name or glob')
  }
  const files = yield* filesFor(engine, args, { name, match })
  const found: (TreeSymbol & { score: number })[] = []
  let [chars, scanned, isExpired] = [0, 0, files.isExpired]
  for (const path of files.paths) {
    yield
    isExpired ||= time.remainingMs() <= 0
    if (isExpired) break
    const bytes = contentOf(engine, path)
    if (bytes === undefined) continue
    scanned++
    chars += bytes.length
    for (const symbol of symbolsIn(path, bytes, detail).symbols) {
      const score = scoreOf(symbol.name, { name, match })
      if (score > 0) found.push({ path, ...symbol, score })
    }
  }
  if (match === 'fuzzy') found.sort((a, b) => b.score - a.score)
  const from = offsetFrom(paging.position)
  const symbols = found.slice(from, from + max).map(({ path, kind, name: own, line }) => ({
    path,
    kind,
    name: own,
    line,
    ...citeField(engine, path, line),
  }))
  const page = cutPage(symbols, paging)
  const isCut = from + page.items.length < found.length
  return {
    symbols: page.items,
    truncated: isCut,
    ...flagIf('scan_limited', files.isLimited),
    ...flagIf('partial', isExpired),
    ...files.hidden,
    ...(isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: { ...metricsOf(time, chars, scanned), symbols: page.items.length },
  }
}

interface Files {
  paths: string[]
  isLimited: boolean
  isExpired: boolean
  /** What the default rules hide, after a complete walk. */
  hidden: { excluded?: Excluded; skipped_denied?: number }
}

function* filesFor(engine: Engine, args: Arguments, { name, match }: Query): Steps<Files> {
  if (name === undefined || match === 'fuzzy') return yield* allFiles(engine, args)
  const pattern = wordPattern(name, { isPrefix: match === 'prefix' })
  const result = yield* searchFor(engine, args, { pattern, regex: true, mode: 'files' })
  const paths = result.hits.map(({ path }) => path)
  const { scan_limited, partial, excluded, skipped_denied: denied } = result
  return {
    paths,
    isLimited: scan_limited === true,
    isExpired: partial === true,
    hidden: {
      excluded,
      skipped_denied: denied,
    },
  }
}

function* allFiles(engine: Engine, args: Arguments): Steps<Files> {
  const glob = textArgument(args, 'glob')
  const matcher = glob === undefined ? undefined : compilePaths([glob])
  const {
    walk: options,
    excluded,
    maxFiles,
  } = selectionOf(args, glob === undefined ? [] : [glob], matcher)
  const wanted = matcher && ((prefix: string) => matcher.canMatchPrefix(prefix))
  const walk = engine.source.walk({ ...options, wanted })
  const paths: string[] = []
  try {
    for (let step = 1; walk.next(); step++) {
      if (step % 1024 === 0) yield
      const { path } = walk
      if (matcher?.matches(path) === false || excluded?.matches(path) === true) continue
      if (paths.length === maxFiles) return { paths, isLimited: true, isExpired: false, hidden: {} }
      paths.push(path)
    }
    return { paths, isLimited: false, isExpired: false, hidden: walk.excluded.fields() }
  } finally {
    walk.close()
  }
}

/** Undefined for a file that cannot be read or is denied. */
function contentOf(engine: Engine, path: string): Buffer | undefined {
  try {
    return readEntireFile(engine, path).bytes
  } catch (error) {
    if (error instanceof ZeeError) return undefined
    throw error
  }
}

/** 0 if a symbol does not match. */
function scoreOf(symbol: string, { name, match }: Query): number {
  if (name === undefined) return 1
  if (match === 'fuzzy') return fuzzyScore(symbol, name)
  // Some languages qualify names: `Type.method`, `module::name`.
  const own = symbol.slice(Math.max(...['.', ':', '#'].map((mark) => symbol.lastIndexOf(mark))) + 1)
  const names = [symbol, own]
  const isMatch =
    match === 'exact' ? names.includes(name) : names.some((one) => one.startsWith(name))
  return isMatch ? 1 : 0
}
