// The effective settings of a run: flags over environment over file over defaults.
import type { ConfigOverride, LoadedConfig } from '@zee/core/config'
import { errnoOf, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { baseFolder, configPath } from './folders.ts'
import type { Globals } from '../cli/cli.ts'
import { configDefaults, maxCount } from './defaults.ts'
import type { ZdxConfig } from './schema.ts'
import { during } from '../errors/errors.ts'

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
  /** Whether somebody named the model, as opposed to its default. */
  modelGiven: boolean
}

export async function loadSettings(host: Host, globals: Globals): Promise<Settings> {
  const base = baseFolder(host.env, host.cwd)
  const overrides = overridesOf(host, globals)
  if (isMissing(configPath(base))) {
    const modelGiven = globals.model !== undefined
    return { values: withoutFile(overrides), warnings: [], base, modelGiven }
  }
  const { values, warnings, origin } = await loadAll(base, overrides)
  return { values, warnings, base, modelGiven: origin('model').kind !== 'default' }
}

/** The same with the origin of every value. */
export function inspectSettings(host: Host, globals: Globals): Promise<LoadedConfig<ZdxConfig>> {
  return loadAll(baseFolder(host.env, host.cwd), overridesOf(host, globals))
}

async function loadAll(
  base: string,
  overrides: readonly ConfigOverride[],
): Promise<LoadedConfig<ZdxConfig>> {
  const [{ loadConfig }, { zdxConfig }] = await Promise.all([
    import('@zee/core/config'),
    import('./schema.ts'),
  ])
  return during('load config', () => loadConfig(zdxConfig, [{ path: configPath(base) }], overrides))
}

/** What cannot even be looked at is left to the loader, which says why. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    return errnoOf(error) === 'ENOTDIR'
  }
}

/** The overrides are checked where they come from, so that no schema is needed for them. */
function withoutFile(overrides: readonly ConfigOverride[]): ZdxConfig {
  const given = overrides.filter(({ value }) => value !== undefined)
  return { ...configDefaults, ...Object.fromEntries(given.map(({ key, value }) => [key, value])) }
}

function overridesOf(host: Host, globals: Globals): ConfigOverride[] {
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

/** The configured instructions, trimmed; none when nothing is left. The flag replaces both keys. */
export function systemPrompt(settings: Settings, host: Host, globals: Globals): string | undefined {
  const { values } = settings
  if (globals.systemPrompt !== undefined) return globals.systemPrompt.trim() || undefined
  const file = values.system_prompt_file?.trim()
  if (!file) return values.system_prompt?.trim() || undefined
  try {
    return readFileSync(path.resolve(host.cwd, file), 'utf8').trim() || undefined
  } catch (error) {
    const why = reasonOf(error)
    throw new ZeeError('config_unreadable', `Failed to read system prompt file: ${file}: ${why}`)
  }
}
