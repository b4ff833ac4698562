// ctx: assembles what goes between the system prompt and the user's message: examples of the skills,
// hard memories that fit the message, the channel's history. Without mem it gives what is left.
import { reasonOf } from '@zee/core/errors'
import { askService } from '../../client/client.ts'
import { loadSkills } from '../../definitions/definitions.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages, optionalString, stringField } from '../../fields/fields.ts'
import type { Exchange, Handler, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

/** Shorter than what the daemon waits for a context: examples are better than nothing. */
const memDeadlineMs = 3000

export function startContext(context: ServiceContext): Service {
  const { config, log } = context
  let examples = skillExamples(context)

  const build: Handler = async (message, exchange) => {
    const query = stringField(message, 'user_message')
    const channel = optionalString(message, 'channel_id') ?? ''
    const ask = (request: object) => askMem(context, request, exchange)
    const [memories, history] = await Promise.all([
      hardMemories(context, query, ask),
      recentHistory(context, channel, ask),
    ])
    const shown = config.ctx.inject_skill_examples ? examples : []
    // Whoever asks is waiting to ask the model; nobody waits for the log.
    setImmediate(() => {
      log.info(
        `context: ${shown.length} example, ${memories.length} memory and ` +
          `${history.length} history messages`,
      )
    })
    return { type: 'context', messages: [...shown, ...memories, ...history] }
  }

  return {
    handlers: handlersOf({ build }),
    preconnect: config.mem.socket,
    reload: () => {
      examples = skillExamples(context)
    },
  }
}

type AskMem = (request: object) => Promise<Message>

function skillExamples({ config, log }: ServiceContext): ChatMessage[] {
  return [...loadSkills(config.skills.dir, log).values()]
    .flatMap((skill) => skill.fabricator)
    .filter(({ role }) => role === 'user' || role === 'assistant')
}

async function hardMemories(
  { config }: ServiceContext,
  query: string,
  ask: AskMem,
): Promise<ChatMessage[]> {
  const { inject_hard_memories: wanted, hard_memory_top_k: count } = config.ctx
  if (!wanted || count <= 0 || query.trim() === '') return []
  const { results } = await ask({ type: 'search_hard', query, top_k: count })
  if (!Array.isArray(results)) return []
  return results.flatMap((result: unknown) =>
    isMessage(result) ? chatMessages(result.messages) : [],
  )
}

async function recentHistory(
  { config }: ServiceContext,
  channel: string,
  ask: AskMem,
): Promise<ChatMessage[]> {
  const { inject_history: wanted, history_limit: limit } = config.ctx
  if (!wanted || limit === 0 || channel === '') return []
  const { messages } = await ask({ type: 'get_history', channel_id: channel, limit })
  return chatMessages(messages)
}

/** mem's answer; an empty one when it has none. */
async function askMem(
  { config, log }: ServiceContext,
  request: object,
  exchange: Exchange,
): Promise<Message> {
  const { signal } = exchange
  const options = { signal, connection: exchange.takeConnection(), deadlineMs: memDeadlineMs }
  try {
    const answer = await askService(config.mem.socket, request, options)
    if (answer.type !== 'error') return answer
    log.warn(`mem refused: ${String(answer.message)}`)
  } catch (error) {
    signal.throwIfAborted()
    log.warn(`context without mem: ${reasonOf(error)}`)
  }
  return {}
}
