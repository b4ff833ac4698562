// The seven services: their names in sockets and commands, and the module of each.
import type { StartService } from '../service/service.ts'

export { readServiceArguments } from './arguments.ts'

export const serviceNames = ['daemon', 'rtr', 'agr', 'sys', 'exc', 'mem', 'ctx'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Loads only the module of the named service. */
export async function loadService(name: ServiceName): Promise<StartService> {
  switch (name) {
    case 'daemon':
      return (await import('./daemon/daemon.ts')).startDaemon
    case 'rtr':
      return (await import('./router/router.ts')).startRouter
    case 'agr':
      return (await import('./agent/agent.ts')).startAgent
    case 'sys':
      return (await import('./prompt/prompt.ts')).startPrompt
    case 'exc':
      return (await import('./executor/executor.ts')).startExecutor
    case 'mem':
      return (await import('./memory/memory.ts')).startMemory
    case 'ctx':
      return (await import('./context/context.ts')).startContext
  }
}
