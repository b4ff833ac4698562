// The effective settings of a run. Precedence: flags, environment, file, defaults.
import type { ConfigOverride, LoadedConfig } from '@zee/core/config'
import { errnoOf, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { baseFolder, configPath } from './folders.ts'
import type { Globals } from '../cli/cli.ts'
import { configDefaults, maxCount } from './defaults.ts'
import type { ZdxConfig } from './schema.ts'
import { withErrorContext } from '../errors/errors.ts'

export {
  baseFolder,
  configPath,
  homeFolder,
  sessionsFolder,
  undoFolder,
  workingFolder,
} from './folders.ts'
export type { ZdxConfig } from './schema.ts'

export interface Settings {
  values: ZdxConfig
  warnings: readonly string[]
  base: string
  /** False if the model is the default. */
  isModelSet: boolean
}

export async function loadSettings(host: Host, globals: Globals): Promise<Settings> {
  const base = baseFolder(host.env, host.cwd)
  const overrides = readOverrides(host, globals)
  if (isMissing(configPath(base))) {
    const isModelSet = globals.model !== undefined
    return { values: defaultsWithOverrides(overrides), warnings: [], base, isModelSet }
  }
  const { values, warnings, origin } = await loadConfigFile(base, overrides)
  return { values, warnings, base, isModelSet: origin('model').kind !== 'default' }
}

/** Loads the settings with the origin of every value. */
export function inspectSettings(host: Host, globals: Globals): Promise<LoadedConfig<ZdxConfig>> {
  return loadConfigFile(baseFolder(host.env, host.cwd), readOverrides(host, globals))
}

async function loadConfigFile(
  base: string,
  overrides: readonly ConfigOverride[],
): Promise<LoadedConfig<ZdxConfig>> {
  const [{ loadConfig }, { zdxConfig }] = await Promise.all([
    import('@zee/core/config'),
    import('./schema.ts'),
  ])
  return withErrorContext('load config', () =>
    loadConfig(zdxConfig, [{ path: configPath(base) }], overrides),
  )
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
    { key: 'system_prompt', value: globals.systemPrompt, from: { flag: '--system-prompt' } },
  ]
}

function baseUrlOverride(name: string, host: Host): ConfigOverride {
  const value = host.env[name]?.trim() || undefined
  return { key: name.toLowerCase(), value, from: { environment: name } }
}

/** The trimmed system prompt, or undefined if it is empty. The flag replaces both keys. */
export function systemPrompt(settings: Settings, host: Host, globals: Globals): string | undefined {
  const { values } = settings
  if (globals.systemPrompt !== undefined) return globals.systemPrompt.trim() || undefined
  const file = values.system_prompt_file?.trim()
  if (!file) return values.system_prompt?.trim() || undefined
  try {
    return readFileSync(path.resolve(host.cwd, file), 'utf8').trim() || undefined
  } catch (error) {
    const reason = reasonOf(error)
    throw new ZeeError('config_unreadable', `Failed to read system prompt file: ${file}: ${reason}`)
  }
}
