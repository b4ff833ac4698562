// ctx: assembles the messages between the system prompt and the user's message: skill examples,
// matching hard memories, matching earlier messages, the channel's recent history. Without mem it returns the examples only.
import { reasonOf } from '@zee/core/errors'
import { askService } from '../../client/client.ts'
import { loadSkills } from '../../definitions/definitions.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages, optionalString, stringField } from '../../fields/fields.ts'
import type { Exchange, Handler, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

/** Below the daemon's deadline of 4 s, so that the examples still arrive when mem hangs. */
const memDeadlineMs = 3000

export function startContext(context: ServiceContext): Service {
  const { config, log } = context
  let examples = skillExamples(context)

  const build: Handler = async (message, exchange) => {
    const query = stringField(message, 'user_message')
    const channel = optionalString(message, 'channel_id') ?? ''
    const ask = (request: object) => askMem(context, request, exchange)
    const turn = optionalString(message, 'turn')
    const [memories, earlier, history] = await Promise.all([
      hardMemories(context, query, ask),
      earlierMessages(context, query, channel, turn, ask),
      recentHistory(context, channel, turn, ask),
    ])
    const shown = config.ctx.inject_skill_examples ? examples : []
    // Logged after the reply: the caller waits for the context.
    setImmediate(() => {
      log.info(
        `context: ${shown.length} example, ${memories.length} memory, ` +
          `${earlier.length} earlier and ${history.length} history messages`,
      )
    })
    return { type: 'context', messages: [...shown, ...memories, ...earlier, ...history] }
  }

  return {
    handlers: handlersOf({ build }),
    preconnect: config.mem.socket,
    needsSignal: true,
    reload: () => {
      examples = skillExamples(context)
    },
  }
}

type AskMem = (request: object) => Promise<Message>

export function skillExamples({
  config,
  log,
}: Pick<ServiceContext, 'config' | 'log'>): ChatMessage[] {
  return [...loadSkills(config.skills.dir, log).values()]
    .flatMap((skill) => skill.fabricator)
    .filter(({ role }) => role === 'user' || role === 'assistant')
}

async function hardMemories(
  { config }: ServiceContext,
  query: string,
  ask: AskMem,
): Promise<ChatMessage[]> {
  const { inject_hard_memories: isEnabled, hard_memory_top_k: count } = config.ctx
  if (!isEnabled || count <= 0 || query.trim() === '') return []
  const min_score = config.ctx.min_score
  const { results } = await ask({ type: 'search_hard', query, top_k: count, min_score })
  if (!Array.isArray(results)) return []
  return results.flatMap((result: unknown) =>
    isMessage(result)
      ? chatMessages(result.messages).map((message) => acceptedByModels(message))
      : [],
  )
}

/** Messages that match the query and are older than the recent history, oldest first. */
async function earlierMessages(
  { config }: ServiceContext,
  query: string,
  channel: string,
  turn: string | undefined,
  ask: AskMem,
): Promise<ChatMessage[]> {
  const { inject_history: isEnabled, history_top_k: count, cross_channel: isCross } = config.ctx
  if (!isEnabled || count <= 0 || query.trim() === '' || (channel === '' && !isCross)) return []
  const { min_score, history_limit } = config.ctx
  const { results } = await ask({
    ...{ type: 'search_all', query, scope: 'history', top_k: count, min_score },
    channel: isCross ? undefined : channel,
    ...(channel === '' ? {} : { recent_channel: channel, skip_recent: Math.max(1, history_limit) }),
    without_turn: turn,
  })
  if (!Array.isArray(results)) return []
  return results
    .filter((result) => isMessage(result))
    .sort((one, other) => String(one.ts).localeCompare(String(other.ts)))
    .flatMap((result) => chatMessages(result.messages))
    .map((message) => acceptedByModels(message))
}

async function recentHistory(
  { config }: ServiceContext,
  channel: string,
  turn: string | undefined,
  ask: AskMem,
): Promise<ChatMessage[]> {
  const { inject_history: isEnabled, history_limit: limit } = config.ctx
  if (!isEnabled || limit === 0 || channel === '') return []
  const request = { type: 'get_history', channel_id: channel, limit, without_turn: turn }
  const { messages } = await ask(request)
  // A forgotten message and an empty answer say nothing, and some models refuse them.
  return chatMessages(messages)
    .filter(({ content }) => content.trim() !== '')
    .map((message) => acceptedByModels(message))
}

const modelRoles: ReadonlySet<string> = new Set(['system', 'user', 'assistant'])

/** Models refuse other roles: such a message becomes text of the user that names the role. */
export function acceptedByModels({ role, content }: ChatMessage): ChatMessage {
  if (modelRoles.has(role)) return { role, content }
  return { role: 'user', content: `[${role}] ${content}` }
}

/** The answer of mem; empty when mem is down or returns an error. */
async function askMem(
  { config, log }: ServiceContext,
  request: object,
  exchange: Exchange,
): Promise<Message> {
  const { signal } = exchange
  const options = {
    signal,
    connection: exchange.takeConnection(),
    deadlineMs: memDeadlineMs,
    waitMs: memDeadlineMs,
    isRepeatable: true,
  }
  try {
    const answer = await askService(config.mem.socket, request, options)
    if (answer.type !== 'error') return answer
    log.warn(`mem returned an error: ${String(answer.message)}`)
  } catch (error) {
    signal.throwIfAborted()
    log.warn(`building the context without mem: ${reasonOf(error)}`)
  }
  return {}
}
