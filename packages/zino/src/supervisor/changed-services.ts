// Finds the services that a changed configuration concerns. Sockets and the data folder are not compared:
// they change only with a new start.
import type { ZinoConfig } from '../config/config.ts'
import { configSecrets } from '../lifecycle/lifecycle.ts'
import type { ServiceName } from '../services/services.ts'
import { allServiceNames, sectionsOf } from '../services/services.ts'

export function changedServices(before: ZinoConfig, after: ZinoConfig): ServiceName[] {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  // Every service redacts the secrets of the file in its log.
  if (!isSame(configSecrets(before), configSecrets(after))) return [...allServiceNames]
  return allServiceNames.filter((name) =>
    ['logging' as const, ...sectionsOf(name)].some(
      (section) => !isSame(before[section], after[section]),
    ),
  )
}
