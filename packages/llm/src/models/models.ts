// The front door: a provider's name and an environment become a model. Wire formats, transport and
// the script player are loaded with the first request, each only when it is needed.
import { systemClock, type Clock } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import {
  resolveBaseUrl,
  findProvider,
  providers,
  type ProviderRow,
} from '../providers/providers.ts'
import type { Model } from '../request/request.ts'
import type { OnRetry, Sleep } from '../retry/retry.ts'
import { createScriptModel } from '../script/script.ts'
import {
  loadTransport,
  type Deadlines,
  type Environment,
  type Transport,
} from '../transport/transport.ts'
import { loadWire, type Wire, type WireName } from '../wires/wires.ts'
import { createHttpModel } from './http-model.ts'
export { listModels } from './list-models.ts'

export interface ModelOptions {
  /** A name from the table, or a row of the user's own. */
  provider: string | ProviderRow
  /** From the configuration; an environment variable of the row goes before it. */
  baseUrl?: string
  /** Keys and proxies are looked up here when a request is made, base URLs at once. */
  environment: Environment
  /** A stored key, for when the environment has none. */
  key?: string
  clock?: Clock
  deadlines?: Partial<Deadlines>
  userAgent?: string
  onRetry?: OnRetry | undefined
  /** Text pieces that arrive in one read of the socket become one event: cheaper, never later. */
  joinText?: boolean
  /** How waits are made; for tests. */
  sleep?: Sleep
  /** From 0 up to 1; for tests. */
  random?: () => number
}

/** Throws for an unknown provider and for a base URL that is none; a missing key waits for `check`. */
export function createModel(options: ModelOptions): Model {
  const row = resolveProvider(options.provider)
  if (row.wire === 'script') return createScriptModel(options)
  const { wire } = row
  const clock = options.clock ?? systemClock
  let loaded: Promise<{ wire: Wire; transport: Transport }> | undefined
  return createHttpModel({
    row,
    base: resolveBaseUrl(row, options.environment, options.baseUrl),
    environment: options.environment,
    key: options.key,
    userAgent: options.userAgent ?? 'zee',
    now: () => clock.now().getTime(),
    onRetry: options.onRetry,
    joinText: options.joinText ?? false,
    sleep: options.sleep,
    random: options.random,
    load: () => (loaded ??= load(wire, options)),
    close: () => {
      loaded?.then(
        ({ transport }) => transport.close(),
        // What could not be loaded has failed its request already.
        () => {},
      )
    },
  })
}

function resolveProvider(provider: string | ProviderRow): ProviderRow {
  if (typeof provider !== 'string') return provider
  const row = findProvider(provider)
  if (row !== undefined) return row
  const known = providers.map(({ name }) => name).join(', ')
  throw usageError(`unknown provider '${provider}' (known: ${known})`)
}

async function load(
  name: WireName,
  options: ModelOptions,
): Promise<{ wire: Wire; transport: Transport }> {
  const { environment, deadlines } = options
  const [wire, transport] = await Promise.all([
    loadWire(name),
    loadTransport({ environment, ...(deadlines ? { deadlines } : {}) }),
  ])
  return { wire, transport }
}
