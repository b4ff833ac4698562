// Sends one request over the routes until one answers. A failing route falls back to the next one,
// but only before the first piece of its answer was forwarded.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { ModelRequest, Usage } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Route, Routes } from './routes.ts'

export type InferRequest = Omit<ModelRequest, 'model'>

export interface RoutedAnswer {
  route: Route
  /** Token usage, if the API reported it. */
  usage: Usage | undefined
}

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
      return { route, usage: await askRoute(route, request, signal, forward) }
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

async function askRoute(
  route: Route,
  request: InferRequest,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<Usage | undefined> {
  let usage: Usage | undefined
  route.requests += 1
  try {
    for await (const event of route.open().stream({ ...request, model: route.model }, signal)) {
      if (event.type === 'text') await onText(event.text)
      else if (event.type === 'usage') usage = event.usage
    }
    return usage
  } catch (error) {
    if (!signal.aborted) route.failures += 1
    throw error
  }
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
