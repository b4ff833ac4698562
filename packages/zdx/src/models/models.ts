// Who is asked: from `--provider`, `--model provider:model`, the configuration, or, when nothing is
// configured, a local server that happens to run.
import type { Host } from '@zee/core/exit'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Model, ModelOptions, ProviderRow } from '@zee/llm'
import { createModel, findApiKey } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import { createSpinner } from '../render/render.ts'
import type { Settings, ZdxConfig } from '../settings/settings.ts'
import { placeOf, providerRows, rowNamed, vendorOf } from '../providers/providers.ts'

export { costOf } from './prices.ts'

export interface ChosenModel {
  row: ProviderRow
  model: string
  baseUrl?: string
  /** A stored key, for when the environment has none. */
  key?: string
  /** Said to the user when the choice was not theirs. */
  note?: string
}

export async function chooseModel(
  settings: Settings,
  host: Host,
  globals: Globals,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { values, modelGiven } = settings
  const rows = providerRows(values)
  const named = namedModel(rows, values, globals)
  const row = rowNamed(rows, named.provider ?? 'anthropic')
  const place = placeOf(values, row)
  const key = await storedKey(row, host, settings.base)
  const chosen = { row, ...place, ...(key === undefined ? {} : { key }) }
  const isOpen = named.provider === undefined && !modelGiven && key === undefined
  if (isOpen && findApiKey(row, host.env, undefined) === undefined) {
    const { findLocalModel } = await import('./local-servers.ts')
    const found = await findLocalModel(rows, values, host.env, signal)
    if (found !== undefined) return found
  }
  const isNamed = modelGiven || row.name === 'anthropic'
  if (isNamed && named.model !== '') return { ...chosen, model: named.model }
  return { ...chosen, model: row.defaultModel ?? (await firstModel(chosen, host, signal)) }
}

/** `provider:model` is split only where the prefix names a provider: `qwen2.5:7b` is a name. */
export function namedModel(
  rows: readonly ProviderRow[],
  values: Pick<ZdxConfig, 'provider' | 'model'>,
  globals: Pick<Globals, 'provider'>,
): { provider: string | undefined; model: string } {
  const provider = values.provider?.trim() || undefined
  const colon = values.model.indexOf(':')
  const prefix = values.model.slice(0, Math.max(0, colon))
  const isProvider = rows.some(({ name }) => name === prefix)
  const isOverruled = globals.provider !== undefined && globals.provider !== prefix
  if (!isProvider || isOverruled) return { provider, model: values.model }
  return { provider: prefix, model: values.model.slice(colon + 1) }
}

/** Looked for only when the environment has none: a keyring takes its time. */
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
  const { modelsOf } = await import('./local-servers.ts')
  const spinner = createSpinner(host)
  spinner.start()
  const listing = await modelsOf(chosen, host.env, signal).finally(spinner.stop)
  signal.throwIfAborted()
  if ('failure' in listing) {
    const why = oneLine(listing.failure)
    throw new ZeeError('no_models', `cannot ask ${row.name} which models it has: ${why}`)
  }
  const first = listing.models[0]
  if (first !== undefined) return first
  throw usageError(`which model of ${row.name}? Name one with --model`)
}

/** The chosen model, ready to be asked. */
export function openModel(
  { row, baseUrl, key }: ChosenModel,
  host: Host,
  options: Pick<ModelOptions, 'joinText' | 'onRetry'> = {},
): Model {
  return createModel({
    provider: row,
    environment: host.env,
    clock: host.clock,
    userAgent: 'zdx',
    ...options,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(key === undefined ? {} : { key }),
  })
}
