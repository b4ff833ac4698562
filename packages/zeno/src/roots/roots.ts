// An engine over several named roots. It splits a request by root, asks the engine of each root, and merges the
// answers in root order. Paths are `name:path`.
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { formatHits } from '@zee/corpus'
import type { GrepHit } from '@zee/corpus'
import type { Engine, Result } from '../engine/engine.ts'
import { nameFields } from './named-items.ts'
import { answerParts } from './part-pages.ts'
import type { ListShape, PageRequest } from './part-pages.ts'
import { partForPath, partsForPaths, partsForReads, partsForRoots } from './request-parts.ts'
import type { FailedPart, Part } from './request-parts.ts'
import type { Args, NamedEngine } from './root-names.ts'
import { mergeLocated, mergeSummaries } from './whole-answers.ts'

export { readRootTable } from './root-table.ts'
export { globsForRoot, textList, unknownRoot } from './root-names.ts'
export { mergeLocated } from './whole-answers.ts'
export type { Args, NamedEngine, Part }

type SplitRequest = (all: readonly NamedEngine[], args: Args) => (Part | FailedPart)[]

interface ListOperation extends ListShape {
  split: SplitRequest
}

const limited = (name: string, fallback: number, isOverAllPages: boolean) => ({
  amount: { name, fallback, isOverAllPages },
})

const counted = (list: string) => ({ list, countMetric: list })

/** Operations whose answers are lists that follow one another. */
const lists: ReadonlyMap<string, ListOperation> = new Map<string, ListOperation>([
  ['list_files', { split: partsForRoots, list: 'files', ...limited('max', 500, true) }],
  ['grep', { split: partsForRoots, ...counted('hits'), ...limited('max_hits', 200, true) }],
  [
    'symbols',
    { split: partsForRoots, ...counted('symbols'), ...limited('max_symbols', 400, false) },
  ],
  ['references', { split: partsForRoots, ...counted('references'), ...limited('max', 200, false) }],
  [
    'chunks',
    { split: partsForRoots, list: 'chunks', ...limited('max', 500, false), hasNoCharLimit: true },
  ],
  ['log', { split: splitLog, list: 'commits', ...limited('max', 200, false), hasRootField: true }],
  ['stat', { split: partsForPaths, list: 'items' }],
  ['read_many', { split: partsForReads, list: 'results' }],
])

/** Operations on one path. */
export const singlePath: ReadonlySet<string> = new Set([
  'read_file',
  'peek',
  'extract_symbols',
  'blame',
])

/** The engine closes those of the roots. */
export function mergeRoots(roots: readonly NamedEngine[], clock: Clock): Engine {
  const engine = scopedEngine(roots, clock)
  return {
    ...engine,
    scoped: (names) => scopedEngine(pickRoots(roots, names), clock),
    async close() {
      await Promise.all(roots.map((root) => root.engine.close()))
    },
  }
}

function pickRoots(roots: readonly NamedEngine[], names: readonly string[]): NamedEngine[] {
  const wanted = new Set(names)
  return roots.filter(({ name }) => wanted.has(name))
}

/** An engine over some of the roots; the others do not exist for its clients. */
function scopedEngine(roots: readonly NamedEngine[], clock: Clock): Engine {
  return {
    rootNames: roots.map(({ name }) => name),
    async run(op, args, signal) {
      const startMs = clock.monotonicMs()
      const elapsedMs = (): number => clock.monotonicMs() - startMs
      if (op === 'index_stats') return indexStats(roots)
      if (singlePath.has(op)) return runPath(roots, op, args, signal)
      if (op === 'summary' || op === 'locate') {
        const request = { op, args, parts: partsForRoots(roots, args), signal, elapsedMs }
        return op === 'summary' ? mergeSummaries(request) : mergeLocated(request)
      }
      const split = lists.get(op)?.split
      if (split === undefined) throw new ZeeError('unknown_op', `unknown op: ${op}`)
      const parts = split(roots, args)
      if (args.certify === true && parts.length !== 1) {
        throw new ZeeError('argument', 'certify covers one root: name it in roots')
      }
      return answerList({ op, args, parts, signal, elapsedMs })
    },
    close: () => Promise.resolve(),
  }
}

/** Answers an operation whose result is a list, from its parts. */
export async function answerList(request: Omit<PageRequest, 'shape'>): Promise<Result> {
  const shape = lists.get(request.op)
  if (shape === undefined) throw new ZeeError('unknown_op', `unknown op: ${request.op}`)
  const whole = { ...request, shape }
  return request.op === 'grep' ? runGrep(whole) : listResult(shape, await answerParts(whole))
}

async function runPath(
  roots: readonly NamedEngine[],
  op: string,
  args: Args,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { root, args: own } = partForPath(roots, args)
  return nameFields(root.name, await root.engine.run(op, own, signal)) as Result
}

/** Commits that changed a path are those of its root. */
function splitLog(roots: readonly NamedEngine[], args: Args): Part[] {
  const hasPath = args.path !== undefined && args.path !== null && args.path !== ''
  return hasPath ? [partForPath(roots, args)] : partsForRoots(roots, args)
}

function listResult(
  { list }: ListShape,
  { items, fields, metrics }: Awaited<ReturnType<typeof answerParts>>,
): Result {
  return { [list]: items, ...fields, metrics }
}

/** Text is formatted from the hits of all roots, whose paths have names by then. */
async function runGrep(request: PageRequest): Promise<Result> {
  const { args, parts, shape } = request
  if (args.format !== 'text') return listResult(shape, await answerParts(request))
  const plain = asJson(parts)
  const charsOf = (items: readonly unknown[]): number => formatHits(items as GrepHit[]).length
  const { items, fields, metrics } = await answerParts({ ...request, parts: plain, charsOf })
  return { text: formatHits(items as GrepHit[]), ...fields, metrics }
}

async function* asJson(parts: PageRequest['parts']): AsyncGenerator<Part | FailedPart> {
  for await (const part of parts) {
    yield 'problem' in part ? part : { ...part, args: { ...part.args, format: 'json' } }
  }
}

function indexStats(roots: readonly NamedEngine[]): Result {
  const stats = roots.map(({ name, engine }) => ({
    root: name,
    index: engine.indexStats?.() ?? null,
  }))
  return { roots: stats, metrics: { time_ms: 0, bytes_read: 0, files_scanned: 0 } }
}
