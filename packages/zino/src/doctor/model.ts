// Whether the model answers: one real request, by the running router or, without one, from here.
import type { Check } from '@zee/core/checks'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { callService, unreachableCode } from '../client/client.ts'
import type { Exchange, ServiceContext } from '../service/service.ts'
import { loadService } from '../services/services.ts'
import type { Message } from '../wire/wire.ts'

/** A local server may have to load the model first. */
const deadlineMs = 60_000
const messages = [{ role: 'user', content: 'Reply with the word OK.' }]

export async function checkModel(context: ServiceContext): Promise<Check> {
  const id = 'model'
  const { api, service } = context.config
  const name = `${service.model || 'no model'} at ${api.base_url || api.provider || 'no address'}`
  const started = performance.now()
  try {
    await firstAnswer(context)
    const ms = Math.round(performance.now() - started)
    return { id, status: 'ok', message: `${name} answered in ${ms} ms` }
  } catch (error) {
    const message = `${name}: ${reasonOf(error)}`
    const advice = 'check [api] base_url, the key and [service] model'
    return { id, status: 'blocked', message, advice }
  }
}

/** Resolves with the first piece of the answer: the rest would only cost. */
async function firstAnswer(context: ServiceContext): Promise<void> {
  const request = { type: 'infer', messages, stream: true }
  try {
    const frames = callService(context.config.rtr.socket, request, { deadlineMs })
    for await (const frame of frames) return assertAnswer(frame)
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== unreachableCode) throw error
    await answerHere(context, request)
  }
}

async function answerHere(context: ServiceContext, request: Message): Promise<void> {
  const startRouter = await loadService('rtr')
  // The count of the day belongs to the running service.
  const rtr = { ...context.config.rtr, usage_file: '' }
  const router = await startRouter({ ...context, config: { ...context.config, rtr } })
  const enough = new AbortController()
  const timer = setTimeout(() => {
    enough.abort(new ZeeError('no_answer', `no answer within ${deadlineMs / 1000} s`))
  }, deadlineMs)
  let hasText = false
  const exchange: Exchange = {
    signal: enough.signal,
    send: async () => {},
    chunk: async () => {
      hasText = true
      enough.abort(new ZeeError('gone', 'the first piece is enough'))
    },
    stamp: () => {},
    onLastSent: () => {},
    takeConnection: () => undefined,
  }
  try {
    const last = await router.handlers.get('infer')?.(request, exchange)
    assertAnswer({ ...last })
  } catch (error) {
    if (!hasText) throw error
  } finally {
    clearTimeout(timer)
    await router.close?.()
  }
}

function assertAnswer(frame: Message): void {
  if (frame.type === 'error') throw new ZeeError('model_failed', String(frame.message))
}
