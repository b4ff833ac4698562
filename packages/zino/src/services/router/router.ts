// rtr: the only service that calls a model. Answers are streamed or collected. A failure is one error
// frame with the API's status and message, where available.
import { maxTimerMs } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { refusalOf } from '../../allow/allow.ts'
import { notAllowedCode } from '../../client/client.ts'
import { optionalBoolean, optionalNumber, promptField } from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { RoutedAnswer, InferRequest } from './ask-model.ts'
import { askModel } from './ask-model.ts'
import type { Budget } from './budget.ts'
import { openBudget } from './budget.ts'
import { DailyTokens } from './daily-tokens.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { Routes } from './routes.ts'

interface Router {
  context: ServiceContext
  routes: Routes
  tokens: DailyTokens
}

export function startRouter(context: ServiceContext): Service {
  const { config, clock, env, log } = context
  const { daily_tokens: ceiling, usage_file: file } = config.rtr
  const router: Router = {
    context,
    routes: new Routes(context),
    tokens: new DailyTokens({ ceiling, file, clock, log }),
  }
  if (config.api.provider === '' && config.api.base_url === '') {
    log.warn('no [api] base_url: requests will fail')
  }
  if (config.api.provider === '' && config.api.key === '' && !env.LLM_API_KEY) {
    log.warn('requests carry no API key: neither [api] key nor LLM_API_KEY is set')
  }
  return {
    handlers: handlersOf({
      infer: (message, exchange) => infer(router, message, exchange),
      capabilities: () => capabilities(router),
    }),
    needsSignal: true,
    close: () => {
      router.routes.close()
      return router.tokens.save()
    },
  }
}

async function infer(router: Router, message: Message, exchange: Exchange): Promise<object> {
  const { config, log } = router.context
  const messages = promptField(message, 'messages')
  const temperature = optionalNumber(message, 'temperature') ?? config.agent.temperature
  const topP = optionalNumber(message, 'top_p') ?? config.agent.top_p
  const stream = (optionalBoolean(message, 'stream') ?? false) && config.rtr.streaming
  router.tokens.check()
  const budget = openBudget(router.context, message, messages)
  const limits = [config.service.max_tokens, budget.maxTokens].filter((each) => each !== undefined)
  const maxTokens = limits.length === 0 ? undefined : Math.min(...limits)
  const request: InferRequest = { messages, temperature, topP, maxTokens, stream }
  const texts: string[] = []
  let length = 0
  const onText = (text: string) => {
    length += text.length
    budget.check(length)
    texts.push(text)
    return stream ? exchange.chunk(text) : Promise.resolve()
  }
  const answered = await withinTime(
    config.service.answer_timeout_secs,
    budget,
    exchange,
    (signal) => askModel(router.routes, request, signal, log, onText),
  ).catch((error: unknown) => {
    if (texts.length === 0 || !isRefusal(error)) throw error
    log.warn(reasonOf(error))
    return undefined
  })
  const text = texts.join('')
  const usage = countTokens(answered, request, text)
  router.tokens.add(usage.input + usage.output)
  const model = answered?.route.model ?? config.service.model
  // Logged after the answer is sent: a short answer is complete before its first chunk is written.
  setImmediate(() => {
    log.info(`${model}: ${messages.length} messages, ${text.length} characters back`)
    log.debug(`answer: ${text}`)
  })
  const truncated = answered === undefined || answered.isTruncated ? true : undefined
  const extra =
    optionalBoolean(message, 'usage') === true ? usageFields(answered, model, usage) : {}
  if (stream) return { type: 'done', full_text: text, truncated, ...extra }
  return { type: 'response', content: text, truncated, ...extra }
}

/** An answer that became longer than the turn allows is cut, not lost. */
function isRefusal(error: unknown): boolean {
  return error instanceof ZeeError && error.code === notAllowedCode
}

/** Aborts the work when the time has passed or the caller disconnects. */
async function withinTime<Result>(
  answerSeconds: number,
  budget: Budget,
  { signal }: Exchange,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // Errors and combined signals are expensive, so nothing is made that only a late answer needs.
  const stop = new AbortController()
  const onGone = (): void => stop.abort(signal.reason)
  if (signal.aborted) onGone()
  signal.addEventListener('abort', onGone, { once: true })
  const ms = Math.min(budget.seconds, answerSeconds) * 1000
  const onLate = (): void => stop.abort(lateReason(answerSeconds, budget))
  const timer = setTimeout(onLate, Math.min(ms, maxTimerMs))
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onGone)
  }
}

function lateReason(answerSeconds: number, { seconds }: Budget): ZeeError {
  return seconds < answerSeconds
    ? new ZeeError(notAllowedCode, refusalOf('until', 'the time of this turn is over'))
    : new ZeeError('answer_timeout', `the answer of the model took longer than ${answerSeconds} s`)
}

interface TokenCount {
  input: number
  output: number
  estimated: boolean
}

function countTokens(
  answered: RoutedAnswer | undefined,
  { messages }: InferRequest,
  answer: string,
): TokenCount {
  const usage = answered?.usage
  if (usage !== undefined) {
    return { input: usage.inputTokens, output: usage.outputTokens, estimated: false }
  }
  const input = estimateTokens(messages, 0)
  return { input, output: estimateTokens(messages, answer.length) - input, estimated: true }
}

function usageFields(
  answered: RoutedAnswer | undefined,
  model: string,
  { input, output, estimated }: TokenCount,
): object {
  const counts = { input_tokens: input, output_tokens: output }
  const usage = estimated ? { ...counts, estimated } : counts
  return { usage, model, provider: answered?.route.provider }
}

function capabilities({ context, routes, tokens }: Router): object {
  const { clock, config } = context
  // The protocol defines this answer without a `type`.
  return {
    streaming: config.rtr.streaming,
    model: config.service.model,
    tokens_today: tokens.used,
    daily_tokens: tokens.ceiling,
    routes: routes.all.map((route) => ({
      provider: route.provider,
      model: route.model,
      requests: route.requests,
      failures: route.failures,
      cooling_seconds: Math.ceil(Math.max(0, route.coolUntilMs - clock.monotonicMs()) / 1000),
    })),
  }
}
