// Finds and reads ZINO.toml. Relative paths in it stay as written: services resolve them against the
// working folder, which the systemd units set.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '@zee/core/config'
import { ZeeError } from '@zee/core/errors'
import type { ZinoConfig } from './schema.ts'
import { zinoConfig } from './schema.ts'

export type { ConfigDefaults, ZinoConfig } from './schema.ts'
export { defineZinoConfig } from './schema.ts'

export interface ConfigLookup {
  /** The value of `--config`. */
  requested?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

export interface FoundConfig {
  config: ZinoConfig
  /** Absent when the client uses the defaults without a file. */
  file?: string
  warnings: readonly string[]
}

/** Reads the configuration; throws when the file is missing or invalid. */
export async function findConfig(lookup: ConfigLookup): Promise<FoundConfig & { file: string }> {
  const file = configFile(lookup)
  if (file === undefined) {
    throw new ZeeError(
      'config_missing',
      `no configuration: looked for ${candidates(lookup).join(', ')} (create one with 'zino init')`,
    )
  }
  return { ...(await read(file)), file }
}

/** The same for clients, which use the defaults when no file exists. */
export async function findClientConfig(lookup: ConfigLookup): Promise<FoundConfig> {
  const file = configFile(lookup)
  if (file !== undefined) return { ...(await read(file)), file }
  const { values, warnings } = await loadConfig(zinoConfig, [])
  return { config: values, warnings }
}

/** The default folder of `zino init`. */
export function userFolder(env: ConfigLookup['env']): string | undefined {
  const { XDG_CONFIG_HOME, HOME } = env
  if (XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME)) {
    return path.join(XDG_CONFIG_HOME, 'zino')
  }
  return HOME === undefined || HOME === '' ? undefined : path.join(HOME, '.config/zino')
}

/** The requested file, even if it is missing; else the first candidate that exists. */
function configFile(lookup: ConfigLookup): string | undefined {
  const requested = lookup.requested ?? (lookup.env.ZINO_CONFIG || undefined)
  if (requested !== undefined) return path.resolve(lookup.cwd, requested)
  return candidates(lookup).find((file) => existsSync(file))
}

function candidates(lookup: ConfigLookup): string[] {
  const folder = userFolder(lookup.env)
  return [
    path.join(lookup.cwd, 'ZINO.toml'),
    ...(folder === undefined ? [] : [path.join(folder, 'ZINO.toml')]),
    '/etc/zino/ZINO.toml',
  ]
}

async function read(file: string): Promise<{ config: ZinoConfig; warnings: readonly string[] }> {
  const { values, warnings } = await loadConfig(zinoConfig, [{ path: file, required: true }])
  return { config: values, warnings }
}
