// Chooses the model: `--provider` and `--model provider:model`, then the configuration, then a running
// local server if no key is set.
import type { Host } from '@zee/core/exit'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Model, ModelOptions, ProviderRow } from '@zee/llm'
import { createModel, findApiKey } from '@zee/llm'
import { vendorOf } from '@zee/llm/facts'
import type { Globals } from '../cli/cli.ts'
import { createSpinner } from '../render/render.ts'
import type { Settings, ZdxConfig } from '../settings/settings.ts'
import { configPath } from '../settings/settings.ts'
import { configuredBaseUrl, providerRows, requireProvider } from '../providers/providers.ts'

export { costOf } from './prices.ts'

export interface ChosenModel {
  row: ProviderRow
  model: string
  baseUrl?: string
  /** A stored key; unset if the environment has one. */
  key?: string
  /** For the user, when zdx chose the model. */
  note?: string
}

export async function chooseModel(
  settings: Settings,
  host: Host,
  globals: Globals,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { values, isModelSet } = settings
  const rows = providerRows(values)
  const named = resolveModelName(rows, values, globals)
  const row = requireProvider(
    rows,
    named.provider ?? 'anthropic',
    globals.provider === undefined ? configPath(settings.base) : undefined,
  )
  const baseUrl = configuredBaseUrl(values, row)
  const key = await storedKey(row, host, settings.base)
  const chosen = { row, baseUrl, key }
  const isUnconfigured = named.provider === undefined && !isModelSet && key === undefined
  if (isUnconfigured && findApiKey(row, host.env, undefined) === undefined) {
    const { findLocalModel } = await import('./local-servers.ts')
    const found = await findLocalModel(rows, values, host.env, signal)
    if (found !== undefined) return found
  }
  const isNamed = isModelSet || row.name === 'anthropic'
  if (isNamed && named.model !== '') return { ...chosen, model: named.model }
  return { ...chosen, model: row.defaultModel ?? (await firstModel(chosen, host, signal)) }
}

/** The provider in `provider:model`; undefined if the prefix names none. */
export function providerOfName(rows: readonly ProviderRow[], name: string): string | undefined {
  const prefix = name.slice(0, Math.max(0, name.indexOf(':')))
  return rows.find((row) => row.name === prefix)?.name
}

/** Splits `provider:model` only if the prefix names a provider: `qwen2.5:7b` is a model name. */
export function resolveModelName(
  rows: readonly ProviderRow[],
  values: Pick<ZdxConfig, 'provider' | 'model'>,
  globals: Pick<Globals, 'provider'>,
): { provider: string | undefined; model: string } {
  const provider = values.provider?.trim() || undefined
  const prefix = providerOfName(rows, values.model)
  const isOverruled = globals.provider !== undefined && globals.provider !== prefix
  if (prefix === undefined || isOverruled) return { provider, model: values.model }
  return { provider: prefix, model: values.model.slice(prefix.length + 1) }
}

/** The stored key, unless the environment has one: querying a keyring is slow. */
export async function storedKey(
  row: ProviderRow,
  host: Host,
  base: string,
): Promise<string | undefined> {
  if (row.keyVariable === undefined || findApiKey(row, host.env, undefined) !== undefined) {
    return undefined
  }
  const { findStoredKey } = await import('../credentials/credentials.ts')
  return findStoredKey(base, vendorOf(row.name))
}

async function firstModel(
  chosen: Omit<ChosenModel, 'model'>,
  host: Host,
  signal: AbortSignal,
): Promise<string> {
  const { row } = chosen
  if (row.wire === 'script') throw usageError('--provider script needs --model <screenplay file>')
  const { listProviderModels } = await import('./local-servers.ts')
  const spinner = createSpinner(host)
  spinner.start()
  const listing = await listProviderModels(chosen, host.env, signal).finally(spinner.stop)
  signal.throwIfAborted()
  if ('failure' in listing) {
    const reason = oneLine(listing.failure)
    throw new ZeeError('no_models', `cannot list the models of ${row.name}: ${reason}`)
  }
  const first = listing.models[0]
  if (first !== undefined) return first
  throw usageError(`${row.name} lists no models: name one with --model`)
}

/** Opens a connection to the chosen model. */
export function openModel(
  { row, baseUrl, key }: ChosenModel,
  host: Host,
  options: Pick<ModelOptions, 'joinText' | 'onRetry'> = {},
): Model {
  return createModel({
    provider: row,
    environment: host.env,
    clock: host.clock,
    cwd: host.cwd,
    userAgent: 'zdx',
    ...options,
    baseUrl,
    key,
  })
}
