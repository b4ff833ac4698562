// Creates a model from a provider and an environment. The first request loads the wire format and
// the transport, or the script player.
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
  /** The name of a row in the provider table, or a user-defined row. */
  provider: string | ProviderRow
  /** From the configuration; the row's environment variable takes precedence. */
  baseUrl?: string
  /** Read for keys and proxies with each request, for the base URL at once. */
  environment: Environment
  /** A stored key, used if the environment has none. */
  key?: string
  clock?: Clock
  /** The folder of a screenplay with a relative path; the process's by default. */
  cwd?: string
  deadlines?: Partial<Deadlines>
  userAgent?: string
  onRetry?: OnRetry | undefined
  /** Joins text deltas that arrive in one read of the socket into one event, without delay. */
  joinText?: boolean
  /** Replaces the timer of retries, for tests. */
  sleep?: Sleep
  /** Replaces `Math.random`, for tests. */
  random?: () => number
}

/** Throws for an unknown provider and for an invalid base URL; `check` reports a missing key. */
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
    monotonicMs: () => clock.monotonicMs(),
    onRetry: options.onRetry,
    joinText: options.joinText ?? false,
    sleep: options.sleep,
    random: options.random,
    load: () => (loaded ??= load(wire, options)),
    close: () => {
      loaded?.then(
        ({ transport }) => transport.close(),
        // A failure to load has already failed the request.
        () => {},
      )
    },
  })
}

function resolveProvider(provider: string | ProviderRow): ProviderRow {
  if (typeof provider !== 'string') return provider
  const row = findProvider(provider)
  if (row !== undefined) return row
  const names = providers.map(({ name }) => name).join(', ')
  throw usageError(`unknown provider '${provider}' (known: ${names})`)
}

async function load(
  name: WireName,
  options: ModelOptions,
): Promise<{ wire: Wire; transport: Transport }> {
  const { environment, deadlines } = options
  const [wire, transport] = await Promise.all([
    loadWire(name),
    loadTransport({ environment, deadlines }),
  ])
  return { wire, transport }
}
