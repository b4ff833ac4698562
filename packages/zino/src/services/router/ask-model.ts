// Sends one request over the routes until one answers. A failing route falls back to the next one,
// but only before the first piece of its answer was forwarded.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { ModelRequest, Usage } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Message } from '../../wire/wire.ts'
import { adaptRequest, learnRefusal } from './adapt-request.ts'
import type { Route, Routes } from './routes.ts'

export interface InferRequest {
  messages: readonly Message[]
  temperature: number | undefined
  topP: number | undefined
  maxTokens: number | undefined
  stream: boolean
}

export interface RoutedAnswer {
  route: Route
  /** Token usage, if the API reported it. */
  usage: Usage | undefined
  /** Whether the answer was cut at the token limit. */
  isTruncated: boolean
}

/** A longer answer is an error. */
const maxTextLength = 16 * 1024 * 1024

/** Calls `onText` with every piece of the answer, in order. */
export async function askModel(
  routes: Routes,
  request: InferRequest,
  signal: AbortSignal,
  log: Logger,
  onText: (text: string) => Promise<void>,
): Promise<RoutedAnswer> {
  const candidates = routes.candidates()
  let failure: unknown = new ZeeError('no_route', 'no route to a model')
  for (const route of candidates) {
    let hasText = false
    try {
      const forward = (text: string) => {
        hasText = true
        return onText(text)
      }
      return await askAdapted(route, request, signal, log, forward)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
      if (hasText || !(error instanceof ZeeError)) throw error
      if (error instanceof ModelError) handleModelError(error, route, routes)
      log.warn(`${route.model} failed: ${reasonOf(error)}`)
    }
  }
  throw failure
}

/** Asks again after each refusal that the request can be adapted to, unless text was forwarded before. */
async function askAdapted(
  route: Route,
  request: InferRequest,
  signal: AbortSignal,
  log: Logger,
  onText: (text: string) => Promise<void>,
): Promise<RoutedAnswer> {
  let hasText = false
  const forward = (text: string) => {
    hasText = true
    return onText(text)
  }
  for (;;) {
    const adapted = adaptRequest(route, request, log)
    try {
      return await askRoute(route, adapted.sent, signal, forward)
    } catch (error) {
      signal.throwIfAborted()
      if (hasText || !(error instanceof ModelError)) throw error
      if (!learnRefusal(route, request, adapted, error, log)) throw error
    }
  }
}

async function askRoute(
  route: Route,
  request: ModelRequest,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<RoutedAnswer> {
  let usage: Usage | undefined
  let isTruncated = false
  let textLength = 0
  route.requests += 1
  try {
    for await (const event of route.open().stream(request, signal)) {
      if (event.type === 'text') {
        textLength += event.text.length
        if (textLength > maxTextLength) throw tooLong()
        await onText(event.text)
      } else if (event.type === 'usage') usage = event.usage
      else if (event.type === 'stop') isTruncated = event.reason === 'max_tokens'
    }
    return { route, usage, isTruncated }
  } catch (error) {
    if (!signal.aborted) route.failures += 1
    throw error
  }
}

function tooLong(): ModelError {
  const limit = `${maxTextLength / 1024 / 1024} MiB`
  return new ModelError('parse', `the answer of the model is longer than ${limit}`)
}

/** Cools down a failing route; rethrows when the request itself was refused. */
function handleModelError(error: ModelError, route: Route, routes: Routes): void {
  if (!isRequestFault(error)) routes.coolDown(route, error)
  else if (!isTooLong(error)) throw error
}

/** Whether every route would refuse this request too. */
function isRequestFault({ status }: ModelError): boolean {
  return status === 400 || status === 413 || status === 422
}

/** Whether the prompt is too long for this model; another model may have a larger context. */
function isTooLong({ status, message }: ModelError): boolean {
  return status === 413 || /context|too long|too many tokens|maximum.*tokens/i.test(message)
}
