// The routes to a model: the one of [api] and [service], then those of [[rtr.fallback]], in order.
// A failing route is skipped for a cool-down period: its API's Retry-After, else [rtr] cooldown.
import type { Clock } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Model, ModelError, OnRetry, ProviderRow, SamplingParameter } from '@zee/llm'
import { createModel, findProvider, providers } from '@zee/llm'
import type { ServiceContext } from '../../service/service.ts'
import { restartScriptPerMessage } from './script-per-message.ts'

export interface Route {
  model: string
  provider: string
  wire: ProviderRow['wire']
  /** The provider's quirks, and what its model has refused since the start. */
  quirks: NonNullable<ProviderRow['quirks']>
  /** Sampling parameters that the model has refused. */
  refused: Set<SamplingParameter>
  /** What the log says once about them. */
  warnings: Set<string>
  /** Creates the model client lazily, on the first request. */
  open(): Model
  close(): void
  requests: number
  failures: number
  /** End of the cool-down on the monotonic clock. */
  coolUntilMs: number
}

interface RouteConfig {
  /** Its section in ZINO.toml. */
  section: '[api]' | '[[rtr.fallback]]'
  provider: string
  base_url: string
  key: string
  model: string
}

const maxCooldownMs = 3_600_000

export class Routes {
  readonly all: readonly Route[]
  readonly #clock: Clock
  readonly #cooldownMs: number

  constructor(context: ServiceContext) {
    const { config, clock } = context
    this.#clock = clock
    this.#cooldownMs = config.rtr.cooldown * 1000
    const { api, service, rtr } = config
    // The script provider takes the screenplay file as the model name.
    const model = api.provider === 'script' && api.script !== '' ? api.script : service.model
    const first: RouteConfig = { ...api, model, section: '[api]' }
    const others = rtr.fallback.map(({ key, key_env, ...route }): RouteConfig => ({
      ...route,
      key: key || (context.env[key_env] ?? ''),
      section: '[[rtr.fallback]]',
    }))
    this.all = [first, ...others].map((route) => this.#routeFor(route, context))
  }

  /** The routes without a cool-down; if there are none, all routes by the end of their cool-down. */
  candidates(): readonly Route[] {
    const ready = this.all.filter((route) => !this.#isCooling(route))
    return ready.length > 0 ? ready : this.all.toSorted((a, b) => a.coolUntilMs - b.coolUntilMs)
  }

  coolDown(route: Route, error: ModelError): void {
    const ms = Math.min(error.retryAfterMs ?? this.#cooldownMs, maxCooldownMs)
    route.coolUntilMs = Math.max(route.coolUntilMs, this.#clock.monotonicMs() + ms)
  }

  close(): void {
    for (const route of this.all) route.close()
  }

  #routeFor(config: RouteConfig, context: ServiceContext): Route {
    const found = providerFor(config, context)
    // A copy of the quirks: what one route learns does not hold for others.
    const row: ProviderRow = { ...found, quirks: { ...found.quirks } }
    let model: Model | undefined
    const onRetry = () => (this.#hasOtherRoute(route) ? 'stop' : 'retry')
    const route: Route = {
      model: config.model,
      provider: row.name,
      wire: row.wire,
      quirks: row.quirks ?? {},
      refused: new Set(),
      warnings: new Set(),
      open: () => (model ??= openModel(config, row, context, onRetry)),
      close: () => model?.close(),
      requests: 0,
      failures: 0,
      coolUntilMs: Number.NEGATIVE_INFINITY,
    }
    return route
  }

  #isCooling(route: Route): boolean {
    return route.coolUntilMs > this.#clock.monotonicMs()
  }

  /** Another route can be used at once, so waiting for this one would only delay the answer. */
  #hasOtherRoute(route: Route): boolean {
    return this.all.some((other) => other !== route && !this.#isCooling(other))
  }
}

function providerFor({ provider, section }: RouteConfig, { config }: ServiceContext): ProviderRow {
  if (provider === '') {
    return {
      name: 'openai-compatible',
      title: 'API',
      wire: 'openai-chat',
      baseUrl: '',
      keyOptional: true,
      // Not all endpoints know this field, so it is sent only when a daily limit needs the usage.
      quirks: { streamUsage: config.rtr.daily_tokens > 0 },
    }
  }
  const row = findProvider(provider)
  if (row !== undefined) return row
  const names = providers.map(({ name }) => name).join(', ')
  throw usageError(`${section} provider: unknown provider '${provider}' (known: ${names})`)
}

function openModel(
  config: RouteConfig,
  row: ProviderRow,
  { clock, env }: ServiceContext,
  onRetry: OnRetry,
): Model {
  const environment: Record<string, string | undefined> = { ...env }
  // Values of the file take precedence over the environment.
  if (config.key !== '' && row.keyVariable !== undefined) delete environment[row.keyVariable]
  if (config.base_url !== '' && row.baseUrlVariable !== undefined) {
    delete environment[row.baseUrlVariable]
  }
  const key = config.key || env.LLM_API_KEY
  const model = createModel({
    provider: row,
    environment,
    clock,
    onRetry,
    joinText: true,
    userAgent: 'zino',
    ...(config.base_url === '' ? {} : { baseUrl: config.base_url }),
    ...(key === undefined || key === '' ? {} : { key }),
  })
  return row.wire === 'script' ? restartScriptPerMessage(model) : model
}
