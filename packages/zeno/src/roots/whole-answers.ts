// Answers that depend on all roots together: the sizes of `summary`, and the ranking of `locate`.
import { ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import type { Result } from '../engine/engine.ts'
import { asciiJson } from '../json/json.ts'
import { MergedFields } from './merged-fields.ts'
import { nameItem } from './named-items.ts'
import { readCursor, writeCursor } from './page-cursor.ts'
import type { Part } from './request-parts.ts'
import type { Args } from './root-names.ts'

export interface WholeRequest {
  op: string
  args: Args
  parts: readonly Part[]
  signal: AbortSignal | undefined
  elapsedMs(): number
}

type Counts = Record<'files' | 'bytes' | 'chars' | 'lines', number>

const countNames = ['files', 'bytes', 'chars', 'lines'] as const
const maxNames = 100

/** Adds the sizes of the roots, and names the roots. */
export async function mergeSummaries(request: WholeRequest): Promise<Result> {
  const { op, args, parts } = request
  const { cursor: _, max_chars: __, max_answer: ___, ...own } = args
  const merged = new MergedFields()
  const total = zeroCounts()
  const extensions = new Map<string, Counts>()
  for (const { root, result } of await runAll(request, () => own)) {
    merged.add(root, result)
    addCounts(total, result)
    for (const [name, counts] of Object.entries(result.by_extension as object)) {
      const sum = extensions.get(name) ?? zeroCounts()
      extensions.set(name, sum)
      addCounts(sum, counts)
    }
  }
  const sorted = [...extensions].sort(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1))
  const from = readCursor(op, args)?.done ?? 0
  const page = cutPage(sorted.slice(from), args)
  const next = from + page.length
  const names = parts.map(({ root }) => root.name)
  return {
    ...total,
    by_extension: Object.fromEntries(page),
    roots: names.slice(0, maxNames),
    roots_total: names.length,
    ...merged.fields(),
    ...(next < sorted.length ? { next_cursor: offsetCursor(op, args, next) } : {}),
    metrics: merged.metrics(request.elapsedMs()),
  }
}

interface Located {
  score: number
}

/** Ranks the results of all roots together; at equal scores the earlier root comes first. */
export async function mergeLocated(request: WholeRequest): Promise<Result> {
  const { op, args } = request
  const { cursor: _, max_chars: __, max_answer: ___, ...own } = args
  const max = numberOf(args.max, 10)
  const from = readCursor(op, args)?.done ?? 0
  const merged = new MergedFields()
  const all: Located[] = []
  // One more than needed shows whether there are more.
  const asked = isNumber(args.max) ? { ...own, max: from + max + 1 } : own
  for (const { root, result } of await runAll(request, () => asked)) {
    merged.add(root, result)
    all.push(...(result.results as unknown[]).map((item) => nameItem(root, item) as Located))
  }
  const ranked = all.toSorted((a, b) => b.score - a.score)
  const page = cutPage(ranked.slice(from, from + max), args)
  const next = from + page.length
  const isCut = next < ranked.length
  return {
    results: page,
    ...merged.fields(),
    truncated: isCut,
    ...(isCut ? { next_cursor: offsetCursor(op, args, next) } : {}),
    metrics: merged.metrics(request.elapsedMs()),
  }
}

/** Runs the same request in every part, in order. */
async function runAll(
  { op, parts, signal }: WholeRequest,
  change: (args: Args) => Args,
): Promise<{ root: string; result: Result }[]> {
  const results: { root: string; result: Result }[] = []
  for (const { root, args } of parts) {
    const { name, engine } = root
    const { paths, glob, exclude_globs: excludes } = args
    const scope = Object.fromEntries(
      Object.entries({ paths, glob, exclude_globs: excludes }).filter(([, each]) => each != null),
    )
    const { roots: _, ...common } = change(args)
    results.push({ root: name, result: await engine.run(op, { ...common, ...scope }, signal) })
  }
  return results
}

/** The items that fit into an answer, but at least one. */
function cutPage<Item>(items: readonly Item[], args: Args): Item[] {
  const maxChars = numberOf(args.max_chars, Infinity)
  const maxBytes = numberOf(args.max_answer, Infinity)
  let [chars, bytes, count] = [0, 0, 0]
  for (const item of items) {
    chars += JSON.stringify(item).length
    bytes += asciiJson(item).length + 1
    if ((chars > maxChars || bytes > maxBytes) && count > 0) break
    count++
  }
  return items.slice(0, count)
}

function offsetCursor(op: string, args: Args, offset: number): string {
  return writeCursor(op, args, { part: 0, cursor: null, amount: 0, done: offset })
}

function zeroCounts(): Counts {
  return { files: 0, bytes: 0, chars: 0, lines: 0 }
}

function addCounts(into: Counts, from: unknown): void {
  if (!isObject(from)) return
  for (const name of countNames) into[name] += numberOf(from[name], 0)
}

function isNumber(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(numberOf(value, Number.NaN))
}

function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && number < 0) {
    throw new ZeeError('argument', `a limit must be 0 or more, got ${number}`)
  }
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}
