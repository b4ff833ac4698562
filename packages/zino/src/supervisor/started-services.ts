// Chooses the services that run with a configuration. An optional one costs a process of 40 MiB, so it
// starts with the others only if it is configured or has work.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ZinoConfig } from '../config/config.ts'
import type { ServiceName } from '../services/services.ts'
import { serviceNames } from '../services/services.ts'

export function startedServices(config: ZinoConfig): readonly ServiceName[] {
  return [
    ...serviceNames,
    ...(isTimerWanted(config) ? (['tmr'] as const) : []),
    ...(config.http.enabled ? (['http'] as const) : []),
  ]
}

/** Whether a running service must end; tmr without the key runs on. */
export function isDisabled(name: ServiceName, { tmr, http }: ZinoConfig): boolean {
  if (name === 'tmr') return tmr.enabled === false
  return name === 'http' && !http.enabled
}

function isTimerWanted({ tmr, mem }: ZinoConfig): boolean {
  return tmr.enabled ?? existsSync(path.resolve(mem.data_dir, 'timers.jsonl'))
}
