// The effective settings of a run. Precedence: flags, environment, the project's file, the user's file,
// defaults.
import { readBoundedFile } from '@zee/core/bounded-file'
import { findWorkplace, type Workplace } from '@zee/agent/project'
import type { ConfigOverride, ConfigSource, LoadedConfig } from '@zee/core/config'
import { errnoOf, oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { statSync } from 'node:fs'
import path from 'node:path'
import { baseFolder, configPath, projectConfigPath, workingFolder } from './folders.ts'
import type { Globals } from '../cli/cli.ts'
import { configDefaults, maxCount } from './defaults.ts'
import type { ZdxConfig } from './schema.ts'
import { withErrorContext } from '../errors/errors.ts'

export {
  baseFolder,
  configPath,
  homeFolder,
  loginsFile,
  pageFile,
  projectConfigPath,
  sessionsFolder,
  undoFolder,
  workingFolder,
} from './folders.ts'
export type { ZdxConfig } from './schema.ts'

export interface Settings {
  values: ZdxConfig
  warnings: readonly string[]
  base: string
  workplace: Workplace
  /** False if the model is the default. */
  isModelSet: boolean
}

export async function loadSettings(host: Host, globals: Globals): Promise<Settings> {
  const base = baseFolder(host.env, host.cwd)
  const overrides = readOverrides(host, globals)
  const workplace = findWorkplace(workingFolder(host, globals))
  if (isMissing(configPath(base)) && isMissing(projectConfigPath(workplace.project))) {
    const isModelSet = globals.model !== undefined
    const values = defaultsWithOverrides(overrides)
    return { values, warnings: [], base, workplace, isModelSet }
  }
  const { values, warnings, origin } = await inspectSettings(host, globals)
  return { values, warnings, base, workplace, isModelSet: origin('model').kind !== 'default' }
}

/** Loads the settings with the origin of every value. */
export async function inspectSettings(
  host: Host,
  globals: Globals,
): Promise<LoadedConfig<ZdxConfig>> {
  const base = baseFolder(host.env, host.cwd)
  const [{ loadConfig }, { zdxConfig }] = await Promise.all([
    import('@zee/core/config'),
    import('./schema.ts'),
  ])
  const project = await projectSources(host, globals, base)
  const sources = [{ path: configPath(base) }, ...project.sources]
  const loaded = await withErrorContext('load config', () =>
    loadConfig(zdxConfig, sources, readOverrides(host, globals)),
  )
  return { ...loaded, warnings: [...loaded.warnings, ...project.warnings] }
}

/** The project's file for `zdx trust`: checked, with the keys that need trust. */
export async function readProjectConfig(
  file: string,
): Promise<{ bytes: Uint8Array; sensitiveKeys: string[] } | undefined> {
  return (await import('./project-config.ts')).inspectProjectConfig(file)
}

async function projectSources(
  host: Host,
  globals: Globals,
  base: string,
): Promise<{ sources: ConfigSource[]; warnings: string[] }> {
  const { project } = findWorkplace(workingFolder(host, globals))
  const file = projectConfigPath(project)
  if (isMissing(file)) return { sources: [], warnings: [] }
  const { projectSource } = await import('./project-config.ts')
  const source = projectSource(file, project, base, globals)
  if (source !== undefined) return { sources: [source], warnings: [] }
  return { sources: [], warnings: [`${oneLine(file)} is ignored: it leads out of the project`] }
}

/** Other errors than a missing file are left to the loader, which reports them. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    return errnoOf(error) === 'ENOTDIR'
  }
}

/** Needs no schema: flags and environment are checked where they are read. */
function defaultsWithOverrides(overrides: readonly ConfigOverride[]): ZdxConfig {
  const set = overrides.filter(({ value }) => value !== undefined)
  return { ...configDefaults, ...Object.fromEntries(set.map(({ key, value }) => [key, value])) }
}

function readOverrides(host: Host, globals: Globals): ConfigOverride[] {
  if ((globals.maxTokens ?? 0) > maxCount) {
    throw usageError(`--max-tokens must be at most ${maxCount}`)
  }
  return [
    baseUrlOverride('ANTHROPIC_BASE_URL', host),
    baseUrlOverride('OPENAI_BASE_URL', host),
    baseUrlOverride('GEMINI_BASE_URL', host),
    baseUrlOverride('OPENROUTER_BASE_URL', host),
    { key: 'provider', value: globals.provider, from: { flag: '--provider' } },
    { key: 'model', value: globals.model, from: { flag: '--model' } },
    { key: 'tools', value: globals.tools, from: { flag: '--tools' } },
    { key: 'thinking', value: globals.thinking, from: { flag: '--thinking' } },
    { key: 'max_tokens', value: globals.maxTokens, from: { flag: '--max-tokens' } },
    { key: 'max_usd', value: globals.maxUsd, from: { flag: '--max-usd' } },
    { key: 'system_prompt', value: globals.systemPrompt, from: { flag: '--system-prompt' } },
  ]
}

function baseUrlOverride(name: string, host: Host): ConfigOverride {
  const value = host.env[name]?.trim() || undefined
  return { key: name.toLowerCase(), value, from: { environment: name } }
}

/** The trimmed system prompt; undefined if none is set. The flag replaces both keys. */
export function systemPrompt(settings: Settings, host: Host, globals: Globals): string | undefined {
  const { values } = settings
  if (globals.systemPrompt !== undefined) return globals.systemPrompt.trim()
  const file = values.system_prompt_file?.trim()
  if (!file) return values.system_prompt?.trim()
  try {
    return readBoundedFile(path.resolve(host.cwd, file)).toString('utf8').trim()
  } catch (error) {
    const reason = reasonOf(error)
    throw new ZeeError('config_unreadable', `Failed to read system prompt file: ${file}: ${reason}`)
  }
}
