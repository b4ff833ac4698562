// The interface to the search engine: a corpus in this process, or a client of a shared server.
import os from 'node:os'
import path from 'node:path'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createThreads } from '@zee/corpus'
import type { DenyRules, IndexStats } from '@zee/corpus'
import { snapshotFileFor, defaultMemory } from '../index/index.ts'
import type { NamedEngine } from '../roots/roots.ts'
import { openCorpusEngine, prefilterOptions } from './corpus-engine.ts'

export { openCorpusEngine }
export type { IndexStats }

export type Result = Record<string, unknown> & { metrics: Record<string, unknown> }

export interface Engine {
  /** Rejects with a ZeeError whose message is for the client. A shared server traces the request with `callId`. */
  run(
    op: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
    callId?: string,
  ): Promise<Result>
  /** Builds the index and waits for it; undefined if the engine has none. */
  buildIndex?(): Promise<IndexStats | undefined>
  /** Current state of an index in this process. */
  indexStats?(): IndexStats | undefined
  /** Names of the roots, in order; absent with one root without a name. */
  rootNames?: readonly string[]
  /** Roots may come later, and names in tokens may be globs. */
  hasOpenRoots?: true
  /** The same engine with some of its roots only; the caller does not close it. */
  scoped?(roots: readonly string[]): Engine
  /** The engine is a server that writes its own trace, so agent events can be sent to it. */
  hasOwnTrace?: true
  close(): Promise<void>
}

/** Several roots, or roots with names. */
export interface RootChoice {
  paths: readonly string[]
  /** A TOML file with more roots. */
  file: string | undefined
}

export interface EngineSettings {
  root: string
  /** Serves these roots instead of `root`; their paths are `name:path`. */
  roots?: RootChoice | undefined
  /** URLs of the databases of a fleet, which is served instead of `root`. */
  fleet?: readonly string[] | undefined
  /** Time limit of one query to a database of the fleet, in seconds. */
  fleetTimeout?: number | undefined
  /** The trace file; hidden from listings and searches if it is below the root. */
  log?: string | undefined
  /** Answer searches from an index. */
  index?: boolean
  /** Memory limit of the index in bytes. */
  memory?: number | undefined
  /** Load the index from a snapshot at start and save one. */
  snapshot?: boolean
  /** Use the shared server of the root, if one is listening. */
  shared?: boolean
  /** Socket of the shared server instead of the default path. */
  socket?: string | undefined
  /** Further files to hide, such as a trace that is being replayed. */
  omit?: readonly string[]
  /** Globs of files that are listed but never read. */
  deny?: readonly string[]
  /** Lifts the default list of secret files. */
  allowSecrets?: boolean
  /** As for `openCorpusEngine`; several roots never do. */
  writesHits?: boolean
}

/** The deny rules of command-line settings. */
export function denyRules({ deny = [], allowSecrets = false }: Partial<EngineSettings>): DenyRules {
  if (deny.includes('')) throw usageError('--deny must not be empty')
  return { globs: deny, secrets: !allowSecrets }
}

/** Opens a client of the shared server if possible, otherwise an engine in this process. */
export async function openEngine(settings: EngineSettings, host: Host): Promise<Engine> {
  const { log, omit = [] } = settings
  if (settings.root === '') throw usageError('--root must not be empty')
  if (log === '') throw usageError('--log must not be empty')
  const hidden = [...omit, ...(log === undefined ? [] : [log])].map((file) =>
    path.resolve(host.cwd, file),
  )
  const memory = settings.memory ?? defaultMemory(os.totalmem())
  const indexBytes = settings.index === true ? memory : undefined
  const deny = denyRules(settings)
  if (settings.fleet !== undefined && settings.fleet.length > 0) {
    const { openFleetEngine } = await import('../fleet/fleet.ts')
    const timeoutMs = (settings.fleetTimeout ?? defaultFleetTimeout) * 1000
    return openFleetEngine({ urls: settings.fleet, timeoutMs, deny }, host)
  }
  if (settings.roots !== undefined) {
    const snapshot = settings.snapshot === true
    return openRoots(settings.roots, { omit: hidden, deny, indexBytes, snapshot }, host)
  }
  const root = path.resolve(host.cwd, settings.root)
  const snapshotFile = settings.snapshot === true ? await snapshotFileFor(root, host) : undefined
  const { writesHits = false } = settings
  const base = { root, omit: hidden, deny, clock: host.clock, writesHits }
  const options = { ...base, indexBytes, snapshotFile }
  const openLocal = (): Engine => openCorpusEngine(options)
  // A shared server has its own rules; it may deny less.
  const isPlain = deny.globs.length === 0 && deny.secrets
  const shared = isPlain ? await tryShared(settings, hidden, root, host, openLocal) : undefined
  return shared ?? openLocal()
}

/** Seconds. */
const defaultFleetTimeout = 10

/** Each index needs memory and threads, so a server of more roots searches the disk. */
const maxIndexedRoots = 8

interface RootsOptions {
  omit: string[]
  deny: DenyRules
  indexBytes: number | undefined
  snapshot: boolean
}

/** An engine over several roots. They share the worker threads and the memory of the index. */
async function openRoots(
  choice: RootChoice,
  { omit, deny, indexBytes, snapshot }: RootsOptions,
  host: Host,
): Promise<Engine> {
  const { mergeRoots, readRootTable } = await import('../roots/roots.ts')
  const rows = await readRootTable(choice, host)
  const threads = createThreads({ prefilter: prefilterOptions() })
  const share =
    indexBytes === undefined || rows.length > maxIndexedRoots
      ? undefined
      : Math.floor(indexBytes / rows.length)
  const roots: NamedEngine[] = []
  for (const { name, path: root, allow } of rows) {
    const hasSnapshot = snapshot && share !== undefined
    const snapshotFile = hasSnapshot ? await snapshotFileFor(root, host) : undefined
    const rules = allow === undefined ? deny : { ...deny, allow }
    const common = { root, omit, deny: rules, clock: host.clock, threads }
    const engine = openCorpusEngine({
      ...common,
      indexBytes: share,
      indexThreads: Math.max(1, Math.floor(4 / rows.length)),
      snapshotFile,
    })
    roots.push({ name, engine })
  }
  const engine = mergeRoots(roots, host.clock)
  return {
    ...engine,
    async close() {
      await engine.close()
      await threads.close()
    },
  }
}

/** Loads the client lazily: a cold request without a socket does not need it. */
async function tryShared(
  { shared = false, socket }: EngineSettings,
  hidden: readonly string[],
  root: string,
  host: Host,
  openLocal: () => Engine,
): Promise<Engine | undefined> {
  if (!shared && socket === undefined) return undefined
  if (socket === undefined && host.env.XDG_RUNTIME_DIR === undefined) return undefined
  const { openSharedEngine } = await import('../shared-server/shared-server.ts')
  return openSharedEngine({ socket, root, hidden, openLocal }, host)
}
