// An engine over several named roots. It splits a request by root, asks the engine of each root, and merges the
// answers in root order. Paths are `name:path`.
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { formatHits } from '@zee/corpus'
import type { GrepHit } from '@zee/corpus'
import type { Engine, Result } from '../engine/engine.ts'
import { nameFields } from './named-items.ts'
import { answerParts } from './part-pages.ts'
import type { ListShape } from './part-pages.ts'
import { partForPath, partsForPaths, partsForReads, partsForRoots } from './request-parts.ts'
import type { FailedPart, Part } from './request-parts.ts'
import type { Args, NamedEngine } from './root-names.ts'
import { mergeLocated, mergeSummaries } from './whole-answers.ts'

export { readRootTable } from './root-table.ts'
export type { NamedEngine }

type SplitRequest = (all: readonly NamedEngine[], args: Args) => (Part | FailedPart)[]

interface ListOperation extends ListShape {
  split: SplitRequest
}

const limited = (name: string, fallback: number, isOverAllPages: boolean) => ({
  amount: { name, fallback, isOverAllPages },
})

/** Operations whose answers are lists that follow one another. */
const lists: ReadonlyMap<string, ListOperation> = new Map<string, ListOperation>([
  ['list_files', { split: partsForRoots, list: 'files', ...limited('max', 500, true) }],
  ['grep', { split: partsForRoots, list: 'hits', ...limited('max_hits', 200, true) }],
  ['symbols', { split: partsForRoots, list: 'symbols', ...limited('max_symbols', 400, false) }],
  ['references', { split: partsForRoots, list: 'references', ...limited('max', 200, false) }],
  [
    'chunks',
    { split: partsForRoots, list: 'chunks', ...limited('max', 500, false), hasNoCharLimit: true },
  ],
  ['log', { split: splitLog, list: 'commits', ...limited('max', 200, false), hasRootField: true }],
  ['stat', { split: partsForPaths, list: 'items' }],
  ['read_many', { split: partsForReads, list: 'results' }],
])

/** Operations on one path. */
const singlePath: ReadonlySet<string> = new Set(['read_file', 'peek', 'extract_symbols', 'blame'])

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
      const shape = lists.get(op)
      if (shape === undefined) throw new ZeeError('unknown_op', `unknown op: ${op}`)
      const parts = shape.split(roots, args)
      const request = { op, args, parts, shape, signal, elapsedMs }
      return op === 'grep' ? runGrep(request) : listResult(shape, await answerParts(request))
    },
    close: () => Promise.resolve(),
  }
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
async function runGrep(request: Parameters<typeof answerParts>[0]): Promise<Result> {
  const { args, parts, shape } = request
  if (args.certify === true && parts.length !== 1) {
    throw new ZeeError('argument', 'certify covers one root: name it in roots')
  }
  const isText = args.format === 'text'
  if (!isText) return listResult(shape, await answerParts(request))
  const plain = parts.map((part) =>
    'problem' in part ? part : { ...part, args: { ...part.args, format: 'json' } },
  )
  const charsOf = (items: readonly unknown[]): number => formatHits(items as GrepHit[]).length
  const { items, fields, metrics } = await answerParts({ ...request, parts: plain, charsOf })
  return { text: formatHits(items as GrepHit[]), ...fields, metrics }
}

function indexStats(roots: readonly NamedEngine[]): Result {
  const stats = roots.map(({ name, engine }) => ({
    root: name,
    index: engine.indexStats?.() ?? null,
  }))
  return { roots: stats, metrics: { time_ms: 0, bytes_read: 0, files_scanned: 0 } }
}
