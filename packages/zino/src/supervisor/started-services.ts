// Chooses the services that start with the supervisor. An optional one costs a process of 40 MiB, so it
// starts with the others only if it is configured or has work.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ZinoConfig } from '../config/config.ts'
import type { ServiceName } from '../services/services.ts'
import { serviceNames } from '../services/services.ts'

export function startedServices(config: ZinoConfig): readonly ServiceName[] {
  return isTimerWanted(config) ? [...serviceNames, 'tmr'] : serviceNames
}

function isTimerWanted({ tmr, mem }: ZinoConfig): boolean {
  return tmr.enabled ?? existsSync(path.resolve(mem.data_dir, 'timers.jsonl'))
}
