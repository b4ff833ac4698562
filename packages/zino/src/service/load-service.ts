// Loads the module of one service and no other: seven processes run this, each for one name.
import type { ServiceName, StartService } from './service.ts'

export async function loadService(name: ServiceName): Promise<StartService> {
  switch (name) {
    case 'daemon':
      return (await import('../services/daemon/service.ts')).startDaemon
    case 'rtr':
      return (await import('../services/rtr/service.ts')).startRtr
    case 'agr':
      return (await import('../services/agr/service.ts')).startAgr
    case 'sys':
      return (await import('../services/sys/service.ts')).startSys
    case 'exc':
      return (await import('../services/exc/service.ts')).startExc
    case 'mem':
      return (await import('../services/mem/service.ts')).startMem
    case 'ctx':
      return (await import('../services/ctx/service.ts')).startCtx
  }
}
