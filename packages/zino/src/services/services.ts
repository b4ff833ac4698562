// The table of services, by their names in sockets and commands.
import type { StartService } from '../service/service.ts'
import type { replayRun } from './agent/agent.ts'

export { readServiceArguments } from './arguments.ts'

interface ServiceRow {
  /** For the help of the command that runs the service alone. */
  summary: string
  /** A process loads only the module of its own service. */
  load: () => Promise<StartService>
  /** Started when it is needed; zino is complete without it. */
  isOptional?: boolean
}

const services = {
  daemon: {
    summary: 'Run the entry service: receives messages and coordinates the others',
    load: async () => (await import('./daemon/daemon.ts')).startDaemon,
  },
  rtr: {
    summary: 'Run the router: sends requests to the model',
    load: async () => (await import('./router/router.ts')).startRouter,
  },
  agr: {
    summary: 'Run the agent loop: executes tool calls and tasks',
    load: async () => (await import('./agent/agent.ts')).startAgent,
  },
  sys: {
    summary: 'Run the system prompt service',
    load: async () => (await import('./prompt/prompt.ts')).startPrompt,
  },
  exc: {
    summary: 'Run the execution service',
    load: async () => (await import('./executor/executor.ts')).startExecutor,
  },
  mem: {
    summary: 'Run the memory service',
    load: async () => (await import('./memory/memory.ts')).startMemory,
  },
  ctx: {
    summary: 'Run the context service',
    load: async () => (await import('./context/context.ts')).startContext,
  },
  tmr: {
    summary: 'Run the timer service',
    load: async () => (await import('./timers/timers.ts')).startTimers,
    isOptional: true,
  },
} satisfies Record<string, ServiceRow>

export type ServiceName = keyof typeof services
/** Every service, the optional one included. */
export const allServiceNames = Object.keys(services) as ServiceName[]
/** The services that zino consists of. */
export const serviceNames = allServiceNames.filter((name) => !('isOptional' in services[name]))

export function serviceSummary(name: ServiceName): string {
  return services[name].summary
}

export function loadService(name: ServiceName): Promise<StartService> {
  return services[name].load()
}

/** What `zino doctor` checks without a running service. */
export const loadChecks = {
  memoryFiles: async () => (await import('./memory/memory.ts')).checkMemoryFiles,
  sandbox: async () => (await import('./executor/executor.ts')).openSandbox,
}

/** Plays a recorded run of agr again. */
export async function loadReplay(): Promise<typeof replayRun> {
  return (await import('./agent/agent.ts')).replayRun
}
