// Services of JSONL clients: with --tokens, each request carries its token.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { OpenService, Service, ServiceSettings } from '../service/service.ts'

/** Returns a function that makes the service of a connection. */
export async function serviceWithAccess(
  shared: OpenService,
  settings: ServiceSettings,
  host: Host,
): Promise<(conn: number) => Service> {
  const { tokens } = settings
  if (tokens === undefined) return (conn) => shared.newService({ conn })
  const { openAccess, withTokens } = await import('../access/access.ts')
  const access = await openAccess(tokens, rootNamesOf(shared, settings), host)
  return (conn) => withTokens(access, ({ roots }) => shared.newService({ conn, roots }))
}

/** For tokens, a single root has the name of its folder. Undefined if roots may come later. */
export function rootNamesOf(
  { rootNames, hasOpenRoots }: OpenService,
  { root }: ServiceSettings,
): readonly string[] | undefined {
  if (hasOpenRoots) return undefined
  return rootNames ?? [path.basename(path.resolve(root))]
}
