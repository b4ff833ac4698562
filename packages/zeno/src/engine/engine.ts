// The seam to the engine that finds text. It is our own over the corpus, or that of a shared server.
import os from 'node:os'
import path from 'node:path'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { IndexStats } from '@zee/corpus'
import { snapshotFileFor, defaultMemory } from '../index/index.ts'
import { openCorpusEngine } from './corpus-engine.ts'

export { openCorpusEngine }
export type { IndexStats }

export type Result = Record<string, unknown> & { metrics: Record<string, unknown> }

export interface Engine {
  /** Rejects with a ZeeError whose message is for the client. */
  run(op: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Result>
  /** Makes the index now and waits for it, where there is to be one. */
  buildIndex?(): Promise<IndexStats | undefined>
  /** What the index holds by now, where it is our own. */
  indexStats?(): IndexStats | undefined
  close(): Promise<void>
}

export interface EngineSettings {
  root: string
  /** A trace in the root, which is not to be found. */
  log?: string | undefined
  /** Answers searches from an index; `memory` is what it may take, in bytes. */
  index?: boolean
  memory?: number | undefined
  /** The index begins with what an earlier one left on the disk, and leaves something itself. */
  snapshot?: boolean
  /** Asks a shared server where there is one: at the usual place of the root, or here. */
  shared?: boolean
  socket?: string | undefined
  /** Further files in the root that are not to be found, such as a trace that is replayed. */
  omit?: readonly string[]
}

/** A shared engine where there is one and it may be asked, otherwise one of our own. */
export async function openEngine(settings: EngineSettings, host: Host): Promise<Engine> {
  const { log, omit = [] } = settings
  if (settings.root === '') throw usageError('--root must not be empty')
  if (log === '') throw usageError('--log must not be empty')
  const hidden = [...omit, ...(log === undefined ? [] : [log])].map((file) =>
    path.resolve(host.cwd, file),
  )
  const root = path.resolve(host.cwd, settings.root)
  const memory = settings.memory ?? defaultMemory(os.totalmem())
  const indexBytes = settings.index === true ? memory : undefined
  const snapshotFile = settings.snapshot === true ? await snapshotFileFor(root, host) : undefined
  const options = { root, omit: hidden, clock: host.clock, indexBytes, snapshotFile }
  const openLocal = (): Engine => openCorpusEngine(options)
  return (await tryShared(settings, hidden, root, host, openLocal)) ?? openLocal()
}

/** Loaded only where a socket can be: a cold question should not pay for it. */
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
