// The provider table: built-in rows, overridden and extended by the configuration.
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { providers } from '@zee/llm'
import { vendorOf } from '@zee/llm/facts'
import type { ZdxConfig } from '../settings/settings.ts'

export function providerRows(config: ZdxConfig): readonly ProviderRow[] {
  const sections = Object.entries(config.providers ?? {})
  if (sections.length === 0) return providers
  const rows = new Map(providers.map((row) => [row.name, row]))
  for (const [name, section] of sections) rows.set(name, mergeRow(name, section, rows.get(name)))
  return [...rows.values()]
}

/** The row with this name; else a usage error, or a config error if `file` names it. */
export function requireProvider(
  rows: readonly ProviderRow[],
  name: string,
  file?: string,
): ProviderRow {
  const row = rows.find((each) => each.name === name)
  if (row !== undefined) return row
  const names = rows.map((each) => each.name).join(', ')
  const message = `unknown provider '${oneLine(name)}' (known: ${names})`
  if (file === undefined) throw usageError(message)
  throw new ZeeError('config_invalid', `load config: ${oneLine(file)}: ${message}`)
}

/** The value of `<vendor>_base_url`, if the configuration sets it. */
export function configuredBaseUrl(values: ZdxConfig, row: ProviderRow): string | undefined {
  const key = `${vendorOf(row.name)}_base_url`
  const value = Object.entries(values).find(([name]) => name === key)?.[1]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The environment variables that hold provider keys. */
export function keyVariables(config: ZdxConfig): ReadonlySet<string | undefined> {
  return new Set(providerRows(config).map((row) => row.keyVariable))
}

type ProviderSection = NonNullable<ZdxConfig['providers']>[string]

function mergeRow(
  name: string,
  section: ProviderSection,
  builtIn: ProviderRow | undefined,
): ProviderRow {
  const wire = section.wire ?? builtIn?.wire
  const baseUrl = section.base_url?.trim() || builtIn?.baseUrl
  if (wire === undefined || baseUrl === undefined) {
    const missing = wire === undefined ? 'wire' : 'base_url'
    throw new ZeeError('config_invalid', `[providers.${name}] needs ${missing}`)
  }
  return {
    title: name,
    ...builtIn,
    name,
    wire,
    baseUrl,
    keyVariable: section.key_env ?? builtIn?.keyVariable,
    defaultModel: section.model ?? builtIn?.defaultModel,
  }
}
