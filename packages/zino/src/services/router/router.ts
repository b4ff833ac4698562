// rtr: the only service that calls a model. Answers are streamed or collected. A failure is one error
// frame with the API's status and message, where available.
import { maxTimerMs } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { optionalBoolean, optionalNumber, promptField } from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { RoutedAnswer, InferRequest } from './ask-model.ts'
import { askModel } from './ask-model.ts'
import { DailyTokens } from './daily-tokens.ts'
import { Routes } from './routes.ts'

/** Estimate for APIs that report no usage. */
const charactersPerToken = 4

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
  const maxTokens = config.service.max_tokens
  const request: InferRequest = { messages, temperature, topP, maxTokens, stream }
  const texts: string[] = []
  const answered = await withinTime(config.service.answer_timeout_secs, exchange, (signal) =>
    askModel(router.routes, request, signal, log, (text) => {
      texts.push(text)
      return stream ? exchange.chunk(text) : Promise.resolve()
    }),
  )
  const text = texts.join('')
  router.tokens.add(countTokens(answered, request, text))
  log.info(`${answered.route.model}: ${messages.length} messages, ${text.length} characters back`)
  log.debug(`answer: ${text}`)
  const truncated = answered.isTruncated ? true : undefined
  if (stream) return { type: 'done', full_text: text, truncated }
  return { type: 'response', content: text, truncated }
}

/** Aborts the work when the time has passed or the caller disconnects. */
async function withinTime<Result>(
  seconds: number,
  { signal }: Exchange,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  const message = `the answer of the model took longer than ${seconds} s`
  const onTimeout = () => deadline.abort(new ZeeError('answer_timeout', message))
  const timer = setTimeout(onTimeout, Math.min(seconds * 1000, maxTimerMs))
  try {
    return await work(AbortSignal.any([signal, deadline.signal]))
  } finally {
    clearTimeout(timer)
  }
}

function countTokens({ usage }: RoutedAnswer, request: InferRequest, answer: string): number {
  if (usage !== undefined) return usage.inputTokens + usage.outputTokens
  const characters = request.messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content.length : 0),
    0,
  )
  return Math.ceil((characters + answer.length) / charactersPerToken)
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
