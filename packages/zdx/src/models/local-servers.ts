// Model servers on the user's own machine, found by asking where they usually listen.
import type { Host } from '@zee/core/exit'
import { reasonOf } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { listModels } from '@zee/llm'
import type { ZdxConfig } from '../settings/settings.ts'
import type { ChosenModel } from './models.ts'
import { placeOf } from '../providers/providers.ts'

/** Loopback answers at once or not at all; others may take their time. */
const localMs = 500
const remoteMs = 10_000

export type Listing = { models: string[] } | { failure: string }

/** The first local server that answers with a model, and a word about why it was taken. */
export async function findLocalModel(
  rows: readonly ProviderRow[],
  values: ZdxConfig,
  env: Host['env'],
  signal: AbortSignal,
): Promise<ChosenModel | undefined> {
  const local = rows.filter((row) => row.local === true && row.wire !== 'script')
  const listings = await Promise.all(
    local.map((row) => modelsOf({ row, ...placeOf(values, row) }, env, signal)),
  )
  signal.throwIfAborted()
  for (const [index, row] of local.entries()) {
    const listing = listings[index]
    const model = listing !== undefined && 'models' in listing ? listing.models[0] : undefined
    if (model === undefined) continue
    const note = `No key is set, so the local server is asked: ${row.name}:${model}`
    return { row, ...placeOf(values, row), model, note }
  }
  return undefined
}

/** What a provider offers, or why it does not say. */
export async function modelsOf(
  { row, baseUrl, key }: Omit<ChosenModel, 'model'>,
  env: Host['env'],
  signal: AbortSignal,
): Promise<Listing> {
  const patience = AbortSignal.timeout(row.local === true ? localMs : remoteMs)
  try {
    const models = await listModels({
      row,
      environment: env,
      signal: AbortSignal.any([patience, signal]),
      userAgent: 'zdx',
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(key === undefined ? {} : { key }),
    })
    return { models }
  } catch (error) {
    return { failure: reasonOf(error) }
  }
}
