// The ways to a model: the one of [api] and [service], then those of [[rtr.fallback]], in order.
// A route that fails is passed over for a while, by the time that its API asks for.
import type { Clock } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Model, ModelError, OnRetry, ProviderRow } from '@zee/llm'
import { createModel, findProvider, providers } from '@zee/llm'
import type { ServiceContext } from '../../service/service.ts'
import { restartScriptPerMessage } from './script-per-message.ts'

export interface Route {
  model: string
  provider: string
  wire: ProviderRow['wire']
  /** Made with the first request, so that a route nobody uses costs nothing. */
  open(): Model
  close(): void
  requests: number
  failures: number
  /** On the monotonic clock; in the past when the route may be used. */
  coolUntilMs: number
}

interface RouteConfig {
  /** Of ZINO.toml. */
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
    // A screenplay is named by its file; the model's name is then only for people.
    const model = api.provider === 'script' && api.script !== '' ? api.script : service.model
    const first: RouteConfig = { ...api, model, section: '[api]' }
    const others = rtr.fallback.map(({ key, key_env, ...route }): RouteConfig => ({
      ...route,
      key: key || (context.env[key_env] ?? ''),
      section: '[[rtr.fallback]]',
    }))
    this.all = [first, ...others].map((route) => this.#routeFor(route, context))
  }

  /** Every route that may be used, else all of them: the first to be free again goes first. */
  candidates(): readonly Route[] {
    const free = this.all.filter((route) => !this.#isCooling(route))
    return free.length > 0 ? free : this.all.toSorted((a, b) => a.coolUntilMs - b.coolUntilMs)
  }

  coolDown(route: Route, error: ModelError): void {
    const ms = Math.min(error.retryAfterMs ?? this.#cooldownMs, maxCooldownMs)
    route.coolUntilMs = Math.max(route.coolUntilMs, this.#clock.monotonicMs() + ms)
  }

  close(): void {
    for (const route of this.all) route.close()
  }

  #routeFor(config: RouteConfig, context: ServiceContext): Route {
    const row = providerFor(config, context)
    let model: Model | undefined
    const onRetry = () => (this.#hasOtherRoute(route) ? 'stop' : 'retry')
    const route: Route = {
      model: config.model,
      provider: row.name,
      wire: row.wire,
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
      // Endpoints need not know this field, so they are asked for counts only when those count.
      quirks: { streamUsage: config.rtr.daily_tokens > 0 },
    }
  }
  const row = findProvider(provider)
  if (row !== undefined) return row
  const known = providers.map(({ name }) => name).join(', ')
  throw usageError(`${section} provider: unknown provider '${provider}' (known: ${known})`)
}

function openModel(
  config: RouteConfig,
  row: ProviderRow,
  { clock, env }: ServiceContext,
  onRetry: OnRetry,
): Model {
  const environment: Record<string, string | undefined> = { ...env }
  // What the file says goes before the environment.
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
