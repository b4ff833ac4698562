// Opens a service from command-line settings: engine, trace and budget.
import { fstatSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Budget, BudgetLimits } from '../budget/budget.ts'
import { loadBudget } from '../budget/budget.ts'
import { openEngine } from '../engine/engine.ts'
import type { Engine, EngineSettings } from '../engine/engine.ts'
import { startProgress } from '../index/index.ts'
import type { Trace } from '../trace/trace.ts'
import { createService } from './answer.ts'
import type { Service } from './answer.ts'

export { createService }
export type { Service }
export type { Answer } from './answer.ts'
export type { AsciiPieces } from './written-hits.ts'

export interface ServiceSettings extends EngineSettings {
  hash?: boolean
  budget?: BudgetLimits | undefined
  maxAnswer?: number | undefined
  /** A private file with the tokens of clients. */
  tokens?: string | undefined
  /** Keeps this many characters of the trace in memory if there is no `log`. */
  recentTraceChars?: number | undefined
}

export interface ServiceClient {
  /** Number of the connection in the trace. */
  conn: number
  /** Names of the only roots that it may read; all by default. */
  roots?: readonly string[] | undefined
  /** A budget that other services share; a separate one by default. */
  budget?: Budget | undefined
}

export interface OpenService {
  service: Service
  /** Names of the roots; undefined with one root without a name. */
  rootNames: readonly string[] | undefined
  /** Roots may come later, and names in tokens may be globs. */
  hasOpenRoots: boolean
  /** Returns a service for one client, over the same engine and trace. */
  newService(client: ServiceClient): Service
  /** Returns a new budget, for a client with several services; undefined without --budget. */
  newBudget(): Budget | undefined
  /** Writes an event to the trace, if there is one. */
  record(event: string, fields: Record<string, unknown>): void
  /** The last lines of a trace in memory; undefined without one. */
  recentLines: (() => readonly string[]) | undefined
  /** Whether an event of the trace could not be written. */
  isTraceIncomplete(): boolean
  close(): Promise<void>
}

export async function openService(settings: ServiceSettings, host: Host): Promise<OpenService> {
  const engine = await openEngine({ ...settings, writesHits: true }, host)
  const shouldShowProgress = settings.index === true && canBeTerminal(2)
  const endProgress = shouldShowProgress ? await startProgress(engine, host) : undefined
  const { trace, recentLines } = await loadTrace(settings, host)
  const createBudget = settings.budget === undefined ? undefined : await loadBudget(settings.budget)
  const newBudget = (): Budget | undefined => createBudget?.()
  const newService = (client?: ServiceClient): Service =>
    createService({
      engine: scopedTo(engine, client?.roots),
      clock: host.clock,
      trace: client === undefined ? trace : trace?.forConnection(client.conn),
      maxAnswer: settings.maxAnswer,
      budget: client?.budget ?? newBudget(),
      hash: settings.hash === true,
    })
  return {
    service: newService(),
    rootNames: engine.rootNames,
    hasOpenRoots: engine.hasOpenRoots === true,
    newService,
    newBudget,
    record: (event, fields) => trace?.agent(event, fields),
    recentLines,
    isTraceIncomplete: () => trace?.isIncomplete() === true,
    async close() {
      endProgress?.()
      trace?.close()
      await engine.close()
    },
  }
}

/** A single root without a name has no parts to choose from. */
function scopedTo(engine: Engine, roots: readonly string[] | undefined): Engine {
  return roots === undefined || engine.scoped === undefined ? engine : engine.scoped(roots)
}

/** A cheap test: creating the stream to read `isTTY` adds milliseconds to every start. */
function canBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return false
  }
}

interface LoadedTrace {
  trace?: Trace
  recentLines?: () => readonly string[]
}

/** Loads the trace code lazily: a cold request without --log does not need it. */
async function loadTrace(settings: ServiceSettings, host: Host): Promise<LoadedTrace> {
  const { log, recentTraceChars } = settings
  if (log === undefined && recentTraceChars === undefined) return {}
  const [{ openTrace, recentTrace }, { createRedactor }] = await Promise.all([
    import('../trace/trace.ts'),
    import('@zee/core/redact'),
  ])
  const options = {
    clock: host.clock,
    redactor: createRedactor({ environment: host.env }),
    onFailure: (message: string) => void host.stderr.write(`zeno: ${oneLine(message)}\n`),
  }
  if (log !== undefined) return { trace: openTrace(path.resolve(host.cwd, log), options) }
  const { trace, lines } = recentTrace(recentTraceChars as number, options)
  return { trace, recentLines: lines }
}
