// agr: the agentic runtime. Its only message is `run`; streaming and collected mode share one loop.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Definitions } from '../../definitions/definitions.ts'
import { loadSkills, loadTools } from '../../definitions/definitions.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  promptField,
} from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { RunOutcome } from './loop.ts'
import { runLoop } from './loop.ts'
import { connectBackends } from './backends.ts'

export function startAgent(context: ServiceContext): Service {
  let definitions = loadDefinitions(context)
  return {
    handlers: handlersOf({
      run: (message, exchange) => answerRun(context, definitions, message, exchange),
    }),
    preconnect: context.config.rtr.socket,
    reload: () => {
      definitions = loadDefinitions(context)
    },
  }
}

function loadDefinitions({ config, log }: ServiceContext): Definitions {
  const tools = loadTools(config.tools.dir, log)
  const skills = loadSkills(config.skills.dir, log)
  log.info(`${tools.size} tools and ${skills.size} skills loaded`)
  return { tools, skills }
}

async function answerRun(
  context: ServiceContext,
  definitions: Definitions,
  message: Message,
  exchange: Exchange,
): Promise<object> {
  const { config, log } = context
  const messages = promptField(message, 'messages')
  const sampling = {
    temperature: optionalNumber(message, 'temperature') ?? config.agent.temperature,
    topP: optionalNumber(message, 'top_p') ?? config.agent.top_p,
  }
  const stream = optionalBoolean(message, 'stream') ?? false
  const sent: string[] = []
  const { signal } = exchange
  const outcome = await wrapRunError(signal, () =>
    runLoop({
      messages,
      maxIterations: optionalInteger(message, 'max_iterations') ?? config.agr.max_iterations,
      stream,
      definitions,
      backends: connectBackends(context, sampling, exchange),
      signal,
      onText: (text) => {
        if (!stream) return Promise.resolve()
        sent.push(text)
        return exchange.chunk(text)
      },
    }),
  )
  log.info(`run of ${outcome.iterations} iterations, ${outcome.lastText.length} characters`)
  if (!stream) return { type: 'result', content: outcome.lastText, iterations: outcome.iterations }
  return { type: 'done', full_text: sent.join(''), iterations: outcome.iterations }
}

/** Reports any failure as a failure of the run, except an abort by the caller. */
async function wrapRunError(
  signal: AbortSignal,
  work: () => Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw new ZeeError('run_failed', `Agentic runtime error: ${reasonOf(error)}`)
  }
}
