// Which ZINO.toml counts, and reading it. Relative paths inside it stay as written: they are meant
// against the working directory, which the service units set.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '@zee/core/config'
import { ZeeError } from '@zee/core/errors'
import type { ZinoConfig } from './schema.ts'
import { zinoConfig } from './schema.ts'

export type { ConfigDefaults, ZinoConfig } from './schema.ts'
export { defineZinoConfig } from './schema.ts'

export interface ConfigLookup {
  /** From `--config`. */
  requested?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

export interface FoundConfig {
  config: ZinoConfig
  /** Absent when the client goes on without a file. */
  file?: string
  warnings: readonly string[]
}

/** Reads the configuration; a missing or broken file is an error for people. */
export async function findConfig(place: ConfigLookup): Promise<FoundConfig & { file: string }> {
  const file = configFile(place)
  if (file === undefined) {
    throw new ZeeError(
      'config_missing',
      `no configuration: looked for ${candidates(place).join(', ')} (zino init writes one)`,
    )
  }
  return { ...(await read(file)), file }
}

/** The same for the client, which may go on with the defaults when there is no file at all. */
export async function findClientConfig(place: ConfigLookup): Promise<FoundConfig> {
  const file = configFile(place)
  if (file !== undefined) return { ...(await read(file)), file }
  const { values, warnings } = await loadConfig(zinoConfig, [])
  return { config: values, warnings }
}

/** The folder that `zino init` writes to unless told otherwise. */
export function userFolder(env: ConfigLookup['env']): string | undefined {
  const { XDG_CONFIG_HOME, HOME } = env
  if (XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME)) {
    return path.join(XDG_CONFIG_HOME, 'zino')
  }
  return HOME === undefined || HOME === '' ? undefined : path.join(HOME, '.config/zino')
}

/** The first that is named or there; a named one counts even when it is missing. */
function configFile(place: ConfigLookup): string | undefined {
  const named = place.requested ?? (place.env.ZINO_CONFIG || undefined)
  if (named !== undefined) return path.resolve(place.cwd, named)
  return candidates(place).find((file) => existsSync(file))
}

function candidates(place: ConfigLookup): string[] {
  const folder = userFolder(place.env)
  return [
    path.join(place.cwd, 'ZINO.toml'),
    ...(folder === undefined ? [] : [path.join(folder, 'ZINO.toml')]),
    '/etc/zino/ZINO.toml',
  ]
}

async function read(file: string): Promise<{ config: ZinoConfig; warnings: readonly string[] }> {
  const { values, warnings } = await loadConfig(zinoConfig, [{ path: file, required: true }])
  return { config: values, warnings }
}
