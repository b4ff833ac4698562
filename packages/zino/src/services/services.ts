// The table of services, by their names in sockets and commands.
import type { ZinoConfig } from '../config/config.ts'
import type { StartService } from '../service/service.ts'
import type { replayRun } from './agent/agent.ts'

export { readServiceArguments } from './arguments.ts'

interface ServiceRow {
  /** For the help of the command that runs the service alone. */
  summary: string
  /** A process loads only the module of its own service. */
  load: () => Promise<StartService>
  /** Sections that it reads besides `logging` and sockets: a change of them restarts it. */
  sections: readonly (keyof ZinoConfig)[]
  /** Started when it is needed; zino is complete without it. */
  isOptional?: boolean
  /** Idle nearly always: its process saves memory instead of time. */
  hasSmallHeap?: boolean
  /** The command of its name is declared apart; the supervisor alone runs it as a service. */
  hasOwnCommand?: boolean
}

const services = {
  daemon: {
    summary: 'Run the entry service: receives messages and coordinates the others',
    load: async () => (await import('./daemon/daemon.ts')).startDaemon,
    sections: ['agent', 'agr', 'channels', 'mem', 'tmr'],
  },
  rtr: {
    summary: 'Run the router: sends requests to the model',
    load: async () => (await import('./router/router.ts')).startRouter,
    sections: ['agent', 'api', 'rtr', 'service'],
  },
  agr: {
    summary: 'Run the agent loop: executes tool calls and tasks',
    load: async () => (await import('./agent/agent.ts')).startAgent,
    sections: ['agent', 'agr', 'exc', 'mcp', 'skills', 'tools'],
  },
  sys: {
    summary: 'Run the system prompt service',
    load: async () => (await import('./prompt/prompt.ts')).startPrompt,
    sections: ['agent', 'agr', 'mcp', 'skills', 'sys', 'tools'],
  },
  exc: {
    summary: 'Run the execution service',
    load: async () => (await import('./executor/executor.ts')).startExecutor,
    sections: ['exc', 'http', 'mcp', 'rtr', 'skills', 'sys', 'tools'],
  },
  mem: {
    summary: 'Run the memory service',
    load: async () => (await import('./memory/memory.ts')).startMemory,
    sections: ['mem'],
  },
  ctx: {
    summary: 'Run the context service',
    load: async () => (await import('./context/context.ts')).startContext,
    sections: ['ctx', 'skills'],
  },
  tmr: {
    summary: 'Run the timer service',
    load: async () => (await import('./timers/timers.ts')).startTimers,
    sections: ['inbox', 'mem', 'tmr'],
    isOptional: true,
    hasSmallHeap: true,
  },
  http: {
    summary: 'Run the HTTP bridge',
    load: async () => (await import('../http/http.ts')).startBridge,
    sections: ['http', 'service'],
    isOptional: true,
    hasOwnCommand: true,
  },
} satisfies Record<string, ServiceRow>

export type ServiceName = keyof typeof services
/** Every service, the optional ones included. */
export const allServiceNames = Object.keys(services) as ServiceName[]

/** Those that a command of their name runs. */
export const commandNames = allServiceNames.filter((name) => !('hasOwnCommand' in services[name]))
/** The services that zino consists of. */
export const serviceNames = allServiceNames.filter((name) => !('isOptional' in services[name]))

export function serviceSummary(name: ServiceName): string {
  return services[name].summary
}

/** The sections of the configuration that a service reads. */
export function sectionsOf(name: ServiceName): readonly (keyof ZinoConfig)[] {
  return services[name].sections
}

export function hasSmallHeap(name: ServiceName): boolean {
  return 'hasSmallHeap' in services[name]
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

/** What a prompt is made of, for `zino replay`. */
export async function loadContextSources() {
  const [{ promptFromFiles }, { skillExamples, acceptedByModels }, { storedTexts }] =
    await Promise.all([
      import('./prompt/prompt.ts'),
      import('./context/context.ts'),
      import('./memory/memory.ts'),
    ])
  return { promptFromFiles, skillExamples, acceptedByModels, storedTexts }
}
