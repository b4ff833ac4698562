// Finds and reads ZINO.toml. Relative paths in it are resolved against the working folder, which the
// systemd units set. Sockets stay as written: a relative path may be short where the absolute one is too long.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '@zee/core/config'
import { ZeeError } from '@zee/core/errors'
import type { ConfigUse } from './project-file.ts'
import { assertOwnFile, checkProjectFile } from './project-file.ts'
import type { ZinoConfig } from './schema.ts'
import { zinoConfig } from './schema.ts'

export type { ConfigDefaults, ZinoConfig } from './schema.ts'
export { readContent } from './project-file.ts'
export { defineZinoConfig } from './schema.ts'

export interface ConfigLookup {
  /** The value of `--config`. */
  requested?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** What the configuration is used for; matters for a file in the working directory. */
  use?: ConfigUse | undefined
}

export interface FoundConfig {
  config: ZinoConfig
  /** Absent when the client uses the defaults without a file. */
  file?: string
  warnings: readonly string[]
  /** The file was found in the working directory and is not trusted: keys of the user stay away from it. */
  isUntrusted?: boolean | undefined
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
  const found = { ...(await read(file, lookup.cwd)), file }
  if (!isProjectFile(file, lookup)) return found
  assertOwnFile(file)
  const folder = userFolder(lookup.env)
  const { isTrusted } = await checkProjectFile(file, found.config, lookup.use ?? 'client', folder)
  return isTrusted ? found : { ...found, ...withoutCommands(found), isUntrusted: true }
}

/** Warnings about a configuration that cannot work as it is. */
export function configWarnings({ config, warnings }: FoundConfig): string[] {
  const isScript = config.api.provider === 'script'
  const missing = config.service.model === '' && !isScript
  return [...warnings, ...(missing ? ['no model: set [service] model'] : [])]
}

/** The same for clients, which use the defaults when no file exists. */
export async function findClientConfig(lookup: ConfigLookup): Promise<FoundConfig> {
  const file = configFile(lookup)
  if (file !== undefined) return { ...(await read(file, lookup.cwd)), file }
  const { values, warnings } = await loadConfig(zinoConfig, [])
  return { config: complete(values, lookup.cwd), warnings }
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

/** Whether the file was found in the working directory and not named by the user. */
function isProjectFile(file: string, { requested, env, cwd }: ConfigLookup): boolean {
  if (requested !== undefined || env.ZINO_CONFIG) return false
  return file === path.join(cwd, 'ZINO.toml') && path.dirname(file) !== userFolder(env)
}

function candidates(lookup: ConfigLookup): string[] {
  const folder = userFolder(lookup.env)
  return [
    path.join(lookup.cwd, 'ZINO.toml'),
    ...(folder === undefined ? [] : [path.join(folder, 'ZINO.toml')]),
    '/etc/zino/ZINO.toml',
  ]
}

async function read(
  file: string,
  cwd: string,
): Promise<{ config: ZinoConfig; warnings: readonly string[] }> {
  const { values, warnings } = await loadConfig(zinoConfig, [{ path: file, required: true }])
  return { config: complete(values, cwd), warnings }
}

/** A file that may be hostile runs no command. */
function withoutCommands({ config, warnings }: FoundConfig): Omit<FoundConfig, 'file'> {
  const { inbox } = config
  if (inbox.notify === '') return { config, warnings }
  const warning = "[inbox] notify is not run: the file is not trusted (see 'zino trust')"
  return {
    config: { ...config, inbox: { ...inbox, notify: '' } },
    warnings: [...warnings, warning],
  }
}

/** Absolute paths of files; sockets of optional services lie next to the others unless the file names them. */
function complete(config: ZinoConfig, cwd: string): ZinoConfig {
  const { daemon, mem, sys, tools, skills, tmr, http } = config
  const beside = (name: string) => path.join(path.dirname(daemon.socket), `${name}.sock`)
  const absolute = (file: string) => (file === '' ? '' : path.resolve(cwd, file))
  return {
    ...config,
    mem: { ...mem, data_dir: absolute(mem.data_dir) },
    sys: { ...sys, template: absolute(sys.template) },
    tools: { ...tools, dir: absolute(tools.dir) },
    skills: { ...skills, dir: absolute(skills.dir) },
    tmr: { ...tmr, socket: tmr.socket || beside('tmr') },
    http: {
      ...http,
      socket: http.socket || beside('http'),
      token_file: absolute(http.token_file),
    },
  }
}
