// The effective settings of a run: flags over environment over file over defaults.
import type { LoadedConfig } from '@zee/core/config'
import { loadConfig } from '@zee/core/config'
import type { Host } from '@zee/core/exit'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { baseFolder, configPath } from './base-folder.ts'
import type { Globals } from './commands.ts'
import type { ZdxConfig } from './config.ts'
import { zdxConfig } from './config.ts'
import { during } from './context.ts'

export interface Settings {
  config: LoadedConfig<ZdxConfig>
  base: string
}

export async function loadSettings(host: Host, globals: Globals): Promise<Settings> {
  const base = baseFolder(host.env, host.cwd)
  const config = await during('load config', () =>
    loadConfig(
      zdxConfig,
      [{ path: configPath(base) }],
      [
        baseUrlOverride('ANTHROPIC_BASE_URL', host),
        baseUrlOverride('OPENAI_BASE_URL', host),
        baseUrlOverride('GEMINI_BASE_URL', host),
        baseUrlOverride('OPENROUTER_BASE_URL', host),
        { key: 'provider', value: globals.provider, from: { flag: '--provider' } },
        { key: 'model', value: globals.model, from: { flag: '--model' } },
        { key: 'max_tokens', value: globals.maxTokens, from: { flag: '--max-tokens' } },
        { key: 'system_prompt', value: globals.systemPrompt, from: { flag: '--system-prompt' } },
      ],
    ),
  )
  return { config, base }
}

function baseUrlOverride(name: string, host: Host) {
  const value = host.env[name]?.trim() || undefined
  return { key: name.toLowerCase(), value, from: { environment: name } }
}

/** The configured instructions, trimmed; none when nothing is left. The flag replaces both keys. */
export function systemPrompt(settings: Settings, host: Host, globals: Globals): string | undefined {
  const { values } = settings.config
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
