// One request over the routes: the first that answers counts. Once a piece of an answer was seen
// there is no going back; before that a failing route hands over to the next one.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { ModelRequest, Usage } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Route, Routes } from './routes.ts'

export type InferRequest = Omit<ModelRequest, 'model'>

export interface RoutedAnswer {
  route: Route
  /** What the API counted, when it did. */
  usage: Usage | undefined
}

/** Calls `onText` with every piece of the answer, in order. */
export async function askModel(
  routes: Routes,
  ask: InferRequest,
  signal: AbortSignal,
  log: Logger,
  onText: (text: string) => Promise<void>,
): Promise<RoutedAnswer> {
  const order = routes.candidates()
  let failure: unknown = new ZeeError('no_route', 'no route to a model')
  for (const route of order) {
    let seen = false
    try {
      const take = (text: string) => {
        seen = true
        return onText(text)
      }
      return { route, usage: await askRoute(route, ask, signal, take) }
    } catch (error) {
      signal.throwIfAborted()
      failure = error
      if (seen || !(error instanceof ZeeError)) throw error
      if (error instanceof ModelError) handleModelError(error, route, routes)
      log.warn(`${route.model} failed: ${reasonOf(error)}`)
    }
  }
  throw failure
}

async function askRoute(
  route: Route,
  ask: InferRequest,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<Usage | undefined> {
  let usage: Usage | undefined
  route.requests += 1
  try {
    for await (const event of route.open().stream({ ...ask, model: route.model }, signal)) {
      if (event.type === 'text') await onText(event.text)
      else if (event.type === 'usage') usage = event.usage
    }
    return usage
  } catch (error) {
    if (!signal.aborted) route.failures += 1
    throw error
  }
}

/** A route at fault is passed over for a while; a request at fault is nobody else's business. */
function handleModelError(error: ModelError, route: Route, routes: Routes): void {
  if (!isRequestFault(error)) routes.coolDown(route, error)
  else if (!isTooLong(error)) throw error
}

/** The request itself was refused: every route would refuse it. */
function isRequestFault({ status }: ModelError): boolean {
  return status === 400 || status === 413 || status === 422
}

/** But another model may have room for a prompt that this one finds too long. */
function isTooLong({ status, message }: ModelError): boolean {
  return status === 413 || /context|too long|too many tokens|maximum.*tokens/i.test(message)
}
