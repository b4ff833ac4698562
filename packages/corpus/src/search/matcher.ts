// How a text is matched: in this thread, or by the regex worker over texts that may match.
import type { Engine, RequestTime } from '../engine.ts'
import { literalFinder, locateLines, nothingFound, plainNeedle } from '../finder/finder.ts'
import type { LineFinder, PlainNeedle } from '../finder/finder.ts'
import type { PatternRun } from '../regex/regex.ts'
import { lazily } from '../steps.ts'
import type { Steps } from '../steps.ts'
import type { SearchRequest } from './request.ts'

/** Most searches are literal. */
const regexEngine = lazily(() => import('../regex/regex.ts'))

export type Matcher = InlineMatcher | WorkerMatcher

export interface InlineMatcher {
  kind: 'inline'
  find: LineFinder
  /** The same search as a comparison of bytes, where one is equivalent. */
  needle: PlainNeedle | undefined
}

export interface WorkerMatcher {
  kind: 'worker'
  run: PatternRun
  /** A cheap test without false negatives. */
  mayMatch(bytes: Buffer): boolean
}

/** Throws a ZeeError for an invalid pattern. */
export function* createMatcher(
  engine: Engine,
  request: SearchRequest,
  time: RequestTime,
): Steps<Matcher> {
  const { pattern, caseSensitive } = request
  if (!request.regex) {
    const needle = plainNeedle(pattern, caseSensitive)
    return { kind: 'inline', find: literalFinder(pattern, caseSensitive), needle }
  }
  const { compileRegex, PatternRun } = yield* regexEngine()
  const regex = compileRegex(pattern, { lines: true, ignoreCase: !caseSensitive })
  const run = new PatternRun(engine, regex, time)
  const required = regex.required === undefined ? undefined : Buffer.from(regex.required)
  const mayMatch = (bytes: Buffer): boolean =>
    required === undefined || bytes.indexOf(required) !== -1
  const { inline } = run
  if (inline === undefined) return { kind: 'worker', run, mayMatch }
  const find: LineFinder = (bytes, limit) =>
    mayMatch(bytes) ? locateLines(bytes, inline.lines(bytes, limit)) : nothingFound
  return { kind: 'inline', find, needle: undefined }
}
