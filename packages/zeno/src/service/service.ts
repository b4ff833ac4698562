// Puts a service together from what the command line says: engine, trace, budget.
import { existsSync, fstatSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { BudgetLimits } from './budget.ts'
import { createBudget } from './budget.ts'
import { openEngine } from './engine.ts'
import type { Engine } from './engine.ts'
import { usualMemory } from './memory.ts'
import { isBelow, realPlace } from './real-place.ts'
import { createService } from './service.ts'
import type { Service } from './service.ts'
import type { Trace } from './trace.ts'

export interface ServiceSettings {
  root: string
  log?: string | undefined
  hash?: boolean
  budget?: BudgetLimits | undefined
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

export interface OpenService {
  service: Service
  /** Another one over the same engine and trace, with a budget of its own. */
  newService(): Service
  close(): Promise<void>
}

export async function openService(settings: ServiceSettings, host: Host): Promise<OpenService> {
  const { log } = settings
  const engine = await openAnyEngine(settings, host)
  const shows = settings.index === true && mayBeTerminal(2)
  const endProgress = shows ? await progressOf(engine, host) : undefined
  const trace =
    log === undefined ? undefined : await openOwnTrace(path.resolve(host.cwd, log), host)
  const newService = (): Service =>
    createService({
      engine,
      clock: host.clock,
      trace,
      budget: settings.budget === undefined ? undefined : createBudget(settings.budget),
      hash: settings.hash === true,
    })
  return {
    service: newService(),
    newService,
    async close() {
      endProgress?.()
      trace?.close()
      await engine.close()
    },
  }
}

/** The stream, which knows for sure, costs a start some milliseconds. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return false
  }
}

/** Only people want to see it: on a terminal. */
export async function progressOf(engine: Engine, host: Host): Promise<(() => void) | undefined> {
  const { indexStats } = engine
  if (!host.stderr.isTTY || indexStats === undefined) return undefined
  return (await import('./index-progress.ts')).showProgress(host, indexStats)
}

/** A shared engine where there is one and it may be asked, otherwise one of our own. */
export async function openAnyEngine(settings: ServiceSettings, host: Host): Promise<Engine> {
  const { log, omit = [] } = settings
  if (settings.root === '') throw usageError('--root must not be empty')
  if (log === '') throw usageError('--log must not be empty')
  const hidden = [...omit, ...(log === undefined ? [] : [log])].map((file) =>
    path.resolve(host.cwd, file),
  )
  const root = path.resolve(host.cwd, settings.root)
  const memory = settings.memory ?? usualMemory(os.totalmem())
  const indexBytes = settings.index === true ? memory : undefined
  const snapshotFile = settings.snapshot === true ? await snapshotOf(root, host) : undefined
  const own = { root, omit: hidden, clock: host.clock, indexBytes, snapshotFile }
  const openOwn = (): Engine => openEngine(own)
  return (await sharedEngine(settings, hidden, root, host, openOwn)) ?? openOwn()
}

/** Where there can be none, that is said, and everything goes on without. */
async function snapshotOf(root: string, host: Host): Promise<string | undefined> {
  const place = (await import('./snapshot-path.ts')).snapshotPlace(root, host.env)
  if ('file' in place) return place.file
  host.stderr.write(`zeno: no snapshot: ${oneLine(place.reason)}\n`)
  return undefined
}

/** A server that others share; not for one who hides files of his own in the root. */
async function sharedEngine(
  settings: ServiceSettings,
  hidden: readonly string[],
  root: string,
  host: Host,
  openOwn: () => Engine,
): Promise<Engine | undefined> {
  const { shared = false, socket } = settings
  if (!shared && socket === undefined) return undefined
  // Loaded only where a socket can be: a cold question should not pay for it.
  if (socket === undefined && host.env.XDG_RUNTIME_DIR === undefined) return undefined
  const { usualSocketPath } = await import('./socket-path.ts')
  const place = { root, env: host.env }
  const file = socket === undefined ? usualSocketPath(place) : path.resolve(host.cwd, socket)
  if (file === undefined || !existsSync(file)) return undefined
  const real = realPlace(root)
  if (hidden.some((each) => isBelow(real, realPlace(each)))) return undefined
  return (await import('./shared-engine.ts')).connectEngine(file, root, openOwn)
}

/** Loaded only when there is a trace: a cold question should not pay for it. */
async function openOwnTrace(file: string, host: Host): Promise<Trace> {
  const [{ openTrace }, { createRedactor }] = await Promise.all([
    import('./trace.ts'),
    import('@zee/core/redact'),
  ])
  return openTrace(file, {
    clock: host.clock,
    redactor: createRedactor({ environment: host.env }),
    onFailure: (message) => void host.stderr.write(`zeno: ${oneLine(message)}\n`),
  })
}
