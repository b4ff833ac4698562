// `zeno serve --fleet`: an engine over the repositories of a fleet. PostgreSQL proposes texts, and corpus matches,
// hashes and cites them. Repositories are roots: paths are `repository:path`, citations `repository@commit:path:lines`.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createThreads, loadStoredTrees } from '@zee/corpus'
import type { DenyRules } from '@zee/corpus'
import { isObject } from '@zee/core/json'
import type { Engine, Result } from '../engine/engine.ts'
import { answerList, mergeLocated, mergeRoots, singlePath } from '../roots/roots.ts'
import type { Args, NamedEngine } from '../roots/roots.ts'
import { conditionOf, filesAt } from './candidates.ts'
import type { Condition } from './candidates.ts'
import { locateParts } from './locate-parts.ts'
import { FleetRequest } from './request.ts'
import type { FleetParts } from './request.ts'
import { searchParts } from './search-parts.ts'
import { selectRepositories, withoutCommits } from './selection.ts'
import type { Scope } from './selection.ts'
import { FleetShards } from './shards.ts'
import type { FleetRepository } from './shards.ts'
import { FleetTexts } from './texts.ts'

export interface FleetOptions {
  urls: readonly string[]
  /** Time limit of one query to a database. */
  timeoutMs: number
  deny: DenyRules
}

const byPath: ReadonlySet<string> = new Set([...singlePath, 'stat', 'read_many'])
const withoutHistory: ReadonlySet<string> = new Set(['log', 'blame'])
/** Operations that read every file of a repository. */
const wholeRepositories: ReadonlySet<string> = new Set(['summary', 'chunks'])
const maxWhole = 16

/** Throws if no database answers. */
export async function openFleetEngine(
  { urls, timeoutMs, deny }: FleetOptions,
  host: Host,
): Promise<Engine> {
  const shards = new FleetShards(urls, timeoutMs, host)
  const threads = createThreads()
  const parts: FleetParts = { shards, texts: new FleetTexts(), threads, deny }
  const close = async (): Promise<void> => {
    await shards.close()
    await threads.close()
  }
  try {
    const { repositories } = await shards.state()
    const rootNames = repositories.map(({ name }) => name)
    const scoped = (scope: Scope): Engine => fleetEngine(parts, scope, host)
    return { ...scoped(undefined), rootNames, hasOpenRoots: true, scoped, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** An engine over the repositories of a scope; the others do not exist for its clients. */
function fleetEngine(parts: FleetParts, scope: Scope, host: Host): Engine {
  const { clock } = host
  return {
    hasOpenRoots: true,
    async run(op, args, signal) {
      const startMs = clock.monotonicMs()
      const elapsedMs = (): number => clock.monotonicMs() - startMs
      if (withoutHistory.has(op)) throw new ZeeError('fleet', `a fleet has no history for ${op}`)
      if (args.rev !== undefined && args.rev !== null) {
        throw new ZeeError('argument', 'a fleet has one commit of each repository: leave rev out')
      }
      if (args.certify === true) throw new ZeeError('argument', 'a fleet gives no certificates')
      const state = await parts.shards.state()
      const { selected, missing } = selectRepositories(state, scope, args)
      const request = new FleetRequest(parts, state, missing)
      if (op === 'index_stats') return statsResult(selected.length, request)
      if (byPath.has(op)) {
        const named = namedEngines(request, op, args, scope)
        const merged = mergeRoots(named, clock)
        return merged.run(op, withoutCommits(args, state), signal)
      }
      const whole = { op, args: { ...args, generation: state.generation }, signal, elapsedMs }
      if (op === 'locate') {
        if (typeof args.text !== 'string') throw new ZeeError('argument', 'missing text')
        const found = await locateParts(request, selected, args.text)
        return complete(await mergeLocated({ ...whole, args, parts: found }), request)
      }
      if (wholeRepositories.has(op)) return runWhole(request, selected, op, args)
      const condition = await conditionFor(op, args)
      const isListing = op === 'list_files'
      const found = searchParts(request, selected, { condition, isListing })
      return complete(await answerList({ ...whole, parts: found }), request)
    },
    close: () => Promise.resolve(),
  }

  async function runWhole(
    request: FleetRequest,
    selected: readonly { repository: FleetRepository }[],
    op: string,
    args: Args,
  ): Promise<Result> {
    if (selected.length > maxWhole) {
      throw new ZeeError('argument', `${op} of a fleet needs roots: name at most ${maxWhole}`)
    }
    const named: NamedEngine[] = []
    for (const { repository } of selected) {
      const all = [{ repository, args: {} }]
      const engines: Engine[] = []
      for await (const { root } of searchParts(request, all, { condition: undefined })) {
        engines.push(root.engine)
      }
      const [first, ...others] = engines
      if (others.length > 0) {
        throw new ZeeError('argument', `${repository.name} is too large for ${op}: use a clone`)
      }
      if (first !== undefined) named.push({ name: repository.name, engine: first })
    }
    const { roots: _, ...rest } = args
    return complete(await mergeRoots(named, clock).run(op, rest), request)
  }
}

/** Texts that every hit contains; undefined if every file may have hits. */
async function conditionFor(op: string, args: Args): Promise<Condition | undefined> {
  const { requiredTexts } = await loadStoredTrees()
  const { pattern, name } = args
  if (op === 'grep' && typeof pattern === 'string') {
    const regex = args.regex === true
    return conditionOf(
      requiredTexts(pattern, { regex, caseSensitive: args.case_sensitive !== false }),
    )
  }
  const isByName = op === 'references' || (op === 'symbols' && args.match !== 'fuzzy')
  if (!isByName || typeof name !== 'string') return undefined
  return conditionOf(requiredTexts(name, { regex: false, caseSensitive: true }))
}

/** The engines of the repositories that the paths of a request name. */
function namedEngines(request: FleetRequest, op: string, args: Args, scope: Scope): NamedEngine[] {
  const { state } = request
  const clean = withoutCommits(args, state)
  const paths = pathsOf(clean)
  const roots = typeof clean.roots === 'string' ? [clean.roots] : clean.roots
  const names = new Set([
    ...paths.map((each) => each.slice(0, Math.max(0, each.indexOf(':')))),
    ...(Array.isArray(roots) ? (roots as unknown[]).map(String) : []),
  ])
  const { selected, missing } = selectRepositories(state, scope, {})
  const silent = missing.find((name) => names.has(name))
  if (silent !== undefined) throw silentError(silent)
  return selected
    .filter(({ repository }) => names.has(repository.name))
    .map(({ repository }) => ({
      name: repository.name,
      engine: pathEngine(request, repository, op),
    }))
}

/** An engine that looks up the files that a request names. */
function pathEngine(request: FleetRequest, repository: FleetRepository, op: string): Engine {
  return {
    async run(_, args, signal) {
      const paths = pathsOf(args).map((each) => path.posix.normalize(each).replace(/\/$/, ''))
      const { shard, id, name } = repository
      const rows = await request.ask(shard, () => filesAt(shard, id, paths))
      if (rows === undefined) throw silentError(name)
      return request.engineOver(repository, rows).run(op, args, signal)
    },
    close: () => Promise.resolve(),
  }
}

function silentError(name: string): ZeeError {
  return new ZeeError('fleet', `${name} is on a database that does not answer`)
}

/** Every path in the arguments of `read_file`, `stat` and `read_many`. */
function pathsOf({ path: single, paths, reads }: Args): string[] {
  const all: unknown[] = [
    single,
    ...(Array.isArray(paths) ? (paths as unknown[]) : [paths]),
    ...(Array.isArray(reads) ? (reads as unknown[]) : []).map((read) =>
      isObject(read) ? read.path : undefined,
    ),
  ]
  return all.filter((each): each is string => typeof each === 'string')
}

function statsResult(repositories: number, request: FleetRequest): Result {
  const metrics = { time_ms: 0, bytes_read: 0, files_scanned: 0 }
  return { repositories, ...request.fields(), metrics }
}

/** Adds the repositories that the answer lacks. */
function complete(result: Result, request: FleetRequest): Result {
  const { metrics, ...rest } = result
  return { ...rest, ...request.fields(), metrics }
}
