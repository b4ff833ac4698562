// rtr: the only service that calls a model. Answers are streamed or collected. A failure is one error
// frame with the API's status and message, where available.
import { optionalBoolean, optionalNumber, promptField } from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { RoutedAnswer, InferRequest } from './ask-model.ts'
import { askModel } from './ask-model.ts'
import { DailyTokens } from './daily-tokens.ts'
import { toModelMessages } from './model-messages.ts'
import { Routes } from './routes.ts'

const defaultTemperature = 0.7
const defaultTopP = 1
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
  const isOpenAiOnly = router.routes.all.every(({ wire }) => wire === 'openai-chat')
  const messages = toModelMessages(promptField(message, 'messages'), isOpenAiOnly)
  const temperature = optionalNumber(message, 'temperature') ?? defaultTemperature
  const topP = optionalNumber(message, 'top_p') ?? defaultTopP
  const stream = (optionalBoolean(message, 'stream') ?? false) && config.rtr.streaming
  router.tokens.check()
  const request: InferRequest = { messages, temperature, topP, stream }
  const texts: string[] = []
  const answered = await askModel(router.routes, request, exchange.signal, log, (text) => {
    texts.push(text)
    return stream ? exchange.chunk(text) : Promise.resolve()
  })
  const text = texts.join('')
  router.tokens.add(countTokens(answered, request, text))
  log.info(`${answered.route.model}: ${messages.length} messages, ${text.length} characters back`)
  log.debug(`answer: ${text}`)
  return stream ? { type: 'done', full_text: text } : { type: 'response', content: text }
}

function countTokens({ usage }: RoutedAnswer, request: InferRequest, answer: string): number {
  if (usage !== undefined) return usage.inputTokens + usage.outputTokens
  const parts = request.messages.flatMap((message) => message.parts)
  const characters = parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length : 0),
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
