// A ZINO.toml that lies in the working directory may belong to a hostile repository. Without trust it can
// run no command, name no address outside this machine and gets none of the user's keys; a file of
// another user is not read at all.
import { statSync } from 'node:fs'
import { readBoundedFile } from '@zee/core/bounded-file'
import { fileError, ZeeError } from '@zee/core/errors'
import type { ZinoConfig } from './schema.ts'

/** What a command does with the configuration. */
export type ConfigUse =
  /** Talks to running services. */
  | 'client'
  /** Runs a service that starts no commands. */
  | 'service'
  /** Runs a service that may start commands, or all services. */
  | 'execution'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Throws when the use needs a trust that the file does not have. */
export async function checkProjectFile(
  file: string,
  config: ZinoConfig,
  use: ConfigUse,
  trustFolder: string | undefined,
): Promise<{ isTrusted: boolean }> {
  if (use === 'client') return { isTrusted: false }
  if (trustFolder !== undefined) {
    const { isTrusted } = await import('@zee/core/trust')
    if (await isTrusted(trustFolder, file, readContent(file))) return { isTrusted: true }
  }
  const addresses = [config.api.base_url, ...config.rtr.fallback.map((route) => route.base_url)]
  const isRemote =
    addresses.some((address) => address !== '' && !isLoopback(address)) ||
    !isLoopback(`http://${config.http.host}`)
  const hasServers = Object.keys(config.mcp ?? {}).length > 0
  if (!isRemote && !hasServers && use === 'service') return { isTrusted: false }
  // Its model, its screenplay, its tools or its servers could make this machine run any command.
  const names = hasServers ? 'names an MCP server' : 'may run commands'
  const what = isRemote ? 'names an address' : names
  throw new ZeeError(
    'untrusted',
    `${file} lies in the working directory, ${what} and is not trusted: run 'zino trust', or use --config`,
  )
}

/** Throws for a file that another user, not root, could have written. */
export function assertOwnFile(file: string): void {
  const user = process.getuid?.()
  const owner = statSync(file, { throwIfNoEntry: false })?.uid
  if (user === undefined || owner === undefined || owner === user || owner === 0) return
  throw new ZeeError(
    'foreign_file',
    `${file} belongs to another user: name it with --config if you want to use it`,
  )
}

export function readContent(file: string): Buffer {
  try {
    return readBoundedFile(file)
  } catch (error) {
    throw fileError('read', file, error)
  }
}

function isLoopback(address: string): boolean {
  try {
    return loopback.test(new URL(address).hostname)
  } catch {
    return false
  }
}
