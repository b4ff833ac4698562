// `zee tour`: chooses the model and plays the tour.
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findProvider, providers } from '@zee/llm'
import type { Cast } from './folder.ts'
import { playTour } from './tour.ts'

export interface TourOptions {
  provider: string | undefined
  model: string | undefined
  keep: boolean
}

export async function runTour(options: TourOptions, host: Host): Promise<number> {
  return playTour(chooseCast(options), options.keep, host)
}

function chooseCast({ provider, model }: TourOptions): Cast {
  if (provider === undefined) {
    if (model !== undefined) throw usageError('--model needs --provider')
    return { scripted: true }
  }
  const row = findProvider(provider)
  if (row === undefined || row.wire === 'script') {
    const known = providers.filter(({ wire }) => wire !== 'script').map(({ name }) => name)
    throw usageError(`unknown provider '${provider}' (known: ${known.join(', ')})`)
  }
  const chosen = model ?? row.defaultModel
  if (chosen === undefined) throw usageError(`${provider} has no default model: add --model <name>`)
  return { scripted: false, provider, model: chosen }
}
