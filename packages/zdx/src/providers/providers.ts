// The provider table as this user has it: the built-in rows, changed or added to by the configuration.
import { usageError, ZeeError } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { providers } from '@zee/llm'
import type { ZdxConfig } from '../settings/settings.ts'

export function providerRows(config: ZdxConfig): readonly ProviderRow[] {
  const own = Object.entries(config.providers ?? {})
  if (own.length === 0) return providers
  const rows = new Map(providers.map((row) => [row.name, row]))
  for (const [name, given] of own) rows.set(name, rowOf(name, given, rows.get(name)))
  return [...rows.values()]
}

export function rowNamed(rows: readonly ProviderRow[], name: string): ProviderRow {
  const row = rows.find((each) => each.name === name)
  if (row !== undefined) return row
  const known = rows.map((each) => each.name).join(', ')
  throw usageError(`unknown provider '${name}' (known: ${known})`)
}

/** Both wires of OpenAI have one address, one key and one list of prices. */
export function vendorOf(provider: string): string {
  return provider.replace(/-responses$/, '')
}

/** Where the configuration says that a provider is, if it says so. */
export function placeOf(values: ZdxConfig, row: ProviderRow): { baseUrl?: string } {
  const key = `${vendorOf(row.name)}_base_url`
  const value = Object.entries(values).find(([name]) => name === key)?.[1]
  return typeof value === 'string' && value.trim() !== '' ? { baseUrl: value } : {}
}

/** The environment variables that hold keys of providers. */
export function keyVariables(config: ZdxConfig): ReadonlySet<string | undefined> {
  return new Set(providerRows(config).map((row) => row.keyVariable))
}

type Given = NonNullable<ZdxConfig['providers']>[string]

function rowOf(name: string, given: Given, builtIn: ProviderRow | undefined): ProviderRow {
  const wire = given.wire ?? builtIn?.wire
  const baseUrl = given.base_url?.trim() || builtIn?.baseUrl
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
    ...(given.key_env === undefined ? {} : { keyVariable: given.key_env }),
    ...(given.model === undefined ? {} : { defaultModel: given.model }),
  }
}
