// Puts a service together from what the command line says: engine, trace, budget.
import os from 'node:os'
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { BudgetLimits } from './budget.ts'
import { createBudget } from './budget.ts'
import { openEngine } from './engine.ts'
import { usualMemory } from './memory.ts'
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
  /** Further files in the root that are not to be found, such as a trace that is replayed. */
  omit?: readonly string[]
}

export interface OpenService {
  service: Service
  close(): Promise<void>
}

export async function openService(settings: ServiceSettings, host: Host): Promise<OpenService> {
  const { log, omit = [] } = settings
  if (settings.root === '') throw usageError('--root must not be empty')
  if (log === '') throw usageError('--log must not be empty')
  const hidden = [...omit, ...(log === undefined ? [] : [log])].map((file) =>
    path.resolve(host.cwd, file),
  )
  const root = path.resolve(host.cwd, settings.root)
  const memory = settings.memory ?? usualMemory(os.totalmem())
  const indexBytes = settings.index === true ? memory : undefined
  const engine = openEngine({ root, omit: hidden, clock: host.clock, indexBytes })
  const trace =
    log === undefined ? undefined : await openOwnTrace(path.resolve(host.cwd, log), host)
  const service = createService({
    engine,
    clock: host.clock,
    trace,
    budget: settings.budget === undefined ? undefined : createBudget(settings.budget),
    hash: settings.hash === true,
  })
  return {
    service,
    async close() {
      trace?.close()
      await engine.close()
    },
  }
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
