// Fits a request to what a route accepts: the quirks of its provider, and what its model has refused
// before. A refusal is learned once per parameter; the caller then sends the request again.
import type { Logger } from '@zee/core/log'
import type { ModelError, ModelRequest, Refusal } from '@zee/llm'
import { refusalOf } from '@zee/llm'
import type { InferRequest } from './ask-model.ts'
import { endsWithAssistant, hasAdjacentRoles, toModelMessages } from './model-messages.ts'
import type { Route } from './routes.ts'

type SamplingRefusal = Extract<Refusal, { kind: 'parameters' | 'sampling_pair' }>

export interface AdaptedRequest {
  sent: ModelRequest
  /** What the route knew when it was sent: other requests of the route learn at the same time. */
  quirks: Route['quirks']
}

/** The request as this route accepts it, as far as is known. */
export function adaptRequest(route: Route, request: InferRequest, log: Logger): AdaptedRequest {
  const quirks = { ...route.quirks }
  const { stream, maxTokens } = request
  const temperature = route.refused.has('temperature') ? undefined : request.temperature
  const topP = route.refused.has('top_p') ? undefined : request.topP
  const isPair = temperature !== undefined && topP !== undefined
  const hasOne = quirks.oneSamplingParameter === true
  if (isPair && hasOne) {
    warnOnce(
      route,
      `top_p is not sent: ${route.model} accepts only one of temperature and top_p`,
      log,
    )
  }
  const sent: ModelRequest = {
    model: route.model,
    messages: toModelMessages(request.messages, {
      keepOriginal: route.wire === 'openai-chat',
      endsWithUser: quirks.endsWithUser ?? false,
      alternatesRoles: quirks.alternatesRoles ?? false,
    }),
    stream,
    temperature,
    topP: isPair && hasOne ? undefined : topP,
    maxTokens,
  }
  return { sent, quirks }
}

/** Whether the error names something that `adaptRequest` now leaves out, so that a retry may succeed. */
export function learnRefusal(
  route: Route,
  request: InferRequest,
  { sent, quirks }: AdaptedRequest,
  error: ModelError,
  log: Logger,
): boolean {
  const refusal = refusalOf(error)
  if (refusal === undefined) return false
  if (refusal.kind === 'max_tokens_field') {
    if (sent.maxTokens === undefined || quirks.maxTokensField !== undefined) return false
    route.quirks.maxTokensField = 'max_completion_tokens'
    return true
  }
  if (refusal.kind === 'adjacent_roles' && hasAdjacentRoles(sent.messages)) {
    const what = `${route.model} refuses two messages of one role in a row`
    if (route.quirks.alternatesRoles !== true) log.info(`${what}: they are joined`)
    route.quirks.alternatesRoles = true
    return true
  }
  if (refusal.kind === 'trailing_assistant' || refusal.kind === 'adjacent_roles') {
    if (quirks.endsWithUser === true || !endsWithAssistant(request.messages)) return false
    const what = `${route.model} does not continue an assistant turn`
    if (route.quirks.endsWithUser !== true) log.info(`${what}: results follow as user messages`)
    route.quirks.endsWithUser = true
    return true
  }
  return learnSampling(route, refusal, sent, log)
}

function learnSampling(
  route: Route,
  refusal: SamplingRefusal,
  { temperature, topP }: ModelRequest,
  log: Logger,
): boolean {
  const isPair = refusal.kind === 'sampling_pair'
  if (isPair && temperature !== undefined && topP !== undefined) {
    route.quirks.oneSamplingParameter = true
    return true
  }
  const values = { temperature, top_p: topP }
  const names = isPair ? (['temperature', 'top_p'] as const) : refusal.names
  const refused = names.filter((name) => values[name] !== undefined)
  for (const name of refused) {
    route.refused.add(name)
    warnOnce(route, `${route.model} does not accept ${name}: it is not sent any more`, log)
  }
  return refused.length > 0
}

/** Many requests of a route may meet the same refusal at the same time. */
function warnOnce(route: Route, warning: string, log: Logger): void {
  if (route.warnings.has(warning)) return
  route.warnings.add(warning)
  log.warn(warning)
}
