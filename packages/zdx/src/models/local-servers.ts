// Finds local model servers by querying their default ports, and lists the models of a provider.
import type { Host } from '@zee/core/exit'
import { reasonOf } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { listModels } from '@zee/llm'
import type { ZdxConfig } from '../settings/settings.ts'
import type { ChosenModel } from './models.ts'
import { configuredBaseUrl } from '../providers/providers.ts'

/** A local server that runs answers within milliseconds. */
const localTimeoutMs = 500
const remoteTimeoutMs = 10_000

export type ModelListing = { models: string[] } | { failure: string }

/** The first model of the first local server that has one, with a note for the user. */
export async function findLocalModel(
  rows: readonly ProviderRow[],
  values: ZdxConfig,
  env: Host['env'],
  signal: AbortSignal,
): Promise<ChosenModel | undefined> {
  const local = rows.filter((row) => row.local === true && row.wire !== 'script')
  const listings = await Promise.all(
    local.map((row) =>
      listProviderModels({ row, baseUrl: configuredBaseUrl(values, row) }, env, signal),
    ),
  )
  signal.throwIfAborted()
  for (const [index, row] of local.entries()) {
    const listing = listings[index]
    const model = listing !== undefined && 'models' in listing ? listing.models[0] : undefined
    if (model === undefined) continue
    const note = `No key is set: using the local server ${row.name}:${model}`
    return { row, baseUrl: configuredBaseUrl(values, row), model, note }
  }
  return undefined
}

/** The models that a provider lists, or the reason for the failure. */
export async function listProviderModels(
  { row, baseUrl, key }: Omit<ChosenModel, 'model'>,
  env: Host['env'],
  signal: AbortSignal,
): Promise<ModelListing> {
  const timeout = AbortSignal.timeout(row.local === true ? localTimeoutMs : remoteTimeoutMs)
  try {
    const models = await listModels({
      row,
      environment: env,
      signal: AbortSignal.any([timeout, signal]),
      userAgent: 'zdx',
      baseUrl,
      key,
    })
    return { models }
  } catch (error) {
    return { failure: reasonOf(error) }
  }
}
