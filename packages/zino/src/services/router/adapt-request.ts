// Fits a request to what a route accepts: the quirks of its provider, and what its model has refused
// before. A refusal is learned once per parameter; the caller then sends the request again.
import type { Logger } from '@zee/core/log'
import type { ModelError, ModelRequest } from '@zee/llm'
import { refusalOf } from '@zee/llm'
import type { InferRequest } from './ask-model.ts'
import { endsWithAssistant, toModelMessages } from './model-messages.ts'
import type { Route } from './routes.ts'

/** The request as this route accepts it, as far as is known. */
export function adaptRequest(route: Route, request: InferRequest, log: Logger): ModelRequest {
  const { quirks, refused } = route
  const { stream, maxTokens } = request
  const temperature = refused.has('temperature') ? undefined : request.temperature
  const topP = refused.has('top_p') ? undefined : request.topP
  if (quirks.oneSamplingParameter === true && temperature !== undefined && topP !== undefined) {
    dropTopP(route, log)
    return adaptRequest(route, request, log)
  }
  return {
    model: route.model,
    messages: toModelMessages(request.messages, {
      keepOriginal: route.wire === 'openai-chat',
      endsWithUser: quirks.endsWithUser ?? false,
    }),
    stream,
    temperature,
    topP,
    maxTokens,
  }
}

/** Whether the error names something that `adaptRequest` now leaves out, so that a retry may succeed. */
export function learnRefusal(
  route: Route,
  request: InferRequest,
  sent: ModelRequest,
  error: ModelError,
  log: Logger,
): boolean {
  const refusal = refusalOf(error)
  if (refusal === undefined) return false
  const { quirks, refused } = route
  if (refusal.kind === 'sampling_pair') {
    if (sent.temperature === undefined || sent.topP === undefined) return false
    dropTopP(route, log)
    return true
  }
  if (refusal.kind === 'parameter') {
    const value = refusal.name === 'temperature' ? sent.temperature : sent.topP
    if (value === undefined) return false
    refused.add(refusal.name)
    log.warn(`${route.model} does not accept ${refusal.name}: it is not sent any more`)
    return true
  }
  if (refusal.kind === 'max_tokens_field') {
    if (sent.maxTokens === undefined || quirks.maxTokensField !== undefined) return false
    quirks.maxTokensField = 'max_completion_tokens'
    return true
  }
  if (quirks.endsWithUser === true || !endsWithAssistant(request.messages)) return false
  quirks.endsWithUser = true
  log.info(`${route.model} does not continue an assistant turn: results follow as user messages`)
  return true
}

function dropTopP(route: Route, log: Logger): void {
  route.refused.add('top_p')
  log.warn(`top_p is not sent: ${route.model} accepts only one of temperature and top_p`)
}
