// Puts a service together from what the command line says: engine, trace, budget.
import { fstatSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { BudgetLimits } from '../budget/budget.ts'
import { createBudget } from '../budget/budget.ts'
import { openEngine } from '../engine/engine.ts'
import type { EngineSettings } from '../engine/engine.ts'
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
}

export interface OpenService {
  service: Service
  /** Another one over the same engine and trace, with a budget of its own. */
  newService(): Service
  close(): Promise<void>
}

export async function openService(settings: ServiceSettings, host: Host): Promise<OpenService> {
  const { log } = settings
  const engine = await openEngine(settings, host)
  const shows = settings.index === true && canBeTerminal(2)
  const endProgress = shows ? await startProgress(engine, host) : undefined
  const trace = log === undefined ? undefined : await loadTrace(path.resolve(host.cwd, log), host)
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
function canBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return false
  }
}

/** Loaded only when there is a trace: a cold question should not pay for it. */
async function loadTrace(file: string, host: Host): Promise<Trace> {
  const [{ openTrace }, { createRedactor }] = await Promise.all([
    import('../trace/trace.ts'),
    import('@zee/core/redact'),
  ])
  return openTrace(file, {
    clock: host.clock,
    redactor: createRedactor({ environment: host.env }),
    onFailure: (message) => void host.stderr.write(`zeno: ${oneLine(message)}\n`),
  })
}
