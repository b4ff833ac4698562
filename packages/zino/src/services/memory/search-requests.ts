// `search_hard` and `search_all`: hard memories and channel histories, with filters, best first.
import { momentMs } from '@zee/core/since'
import {
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  requestError,
  stringField,
} from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import type { HistoryFilter } from './channels/channels.ts'
import { messageId } from './ids.ts'
import type { Memory } from './requests.ts'

type Scope = 'hard' | 'history' | 'all'

interface Search {
  query: string
  topK: number
  scope: Scope
  minScore: number
  distinct: boolean
  sinceMs: number | undefined
  untilMs: number | undefined
  atMs: number | undefined
  channel: string | undefined
  /** Leaves out the messages of this turn. */
  withoutTurn: string | undefined
  /** Leaves out the newest messages of this channel. */
  skipRecent: { channel: string; count: number } | undefined
}

interface Result {
  score: number
  [field: string]: unknown
}

const defaultResults = 3
const maxTurnMessages = 4
const minShownScore = 0.0001

export async function answerSearch(
  message: Message,
  memory: () => Promise<Memory>,
  defaultScope: Scope,
): Promise<object> {
  const search = readSearch(message, defaultScope)
  const { channels, hard } = await memory()
  const [memories, messages] = await Promise.all([
    search.scope === 'history' || search.channel !== undefined ? [] : searchHard(search, hard),
    search.scope === 'hard' ? [] : searchHistory(search, channels),
  ])
  const results = [...memories, ...messages]
    .filter(({ score }) => score >= search.minScore)
    .sort((one, other) => other.score - one.score)
    .slice(0, Math.max(0, search.topK))
  return { type: defaultScope === 'hard' ? 'hard_memories' : 'memories', results }
}

async function searchHard(search: Search, hard: Memory['hard']): Promise<Result[]> {
  const { query, topK, distinct, sinceMs, untilMs, atMs } = search
  const found = await hard.search(query, topK, { distinct, sinceMs, untilMs, atMs })
  return found.map(({ messages, score, id, tag, ts, why }) => {
    return { messages, score: roundScore(score), id, source: 'hard', tag, ts: ts ?? null, why }
  })
}

async function searchHistory(search: Search, channels: Memory['channels']): Promise<Result[]> {
  const { query, topK, sinceMs, atMs, channel, skipRecent } = search
  const untilMs = Math.min(search.untilMs ?? Infinity, atMs ?? Infinity)
  const filter: HistoryFilter = {
    channel,
    sinceMs,
    untilMs: untilMs === Infinity ? undefined : untilMs,
    atMs,
  }
  if (skipRecent !== undefined) {
    const length = await channels.lengthOf(skipRecent.channel)
    const position = Math.max(0, length - skipRecent.count)
    filter.before = { channel: skipRecent.channel, position }
  }
  // The own turn of the caller may already be stored in part.
  const wanted = search.withoutTurn === undefined ? topK : topK + maxTurnMessages
  const all = topK <= 0 ? [] : await channels.search(query, wanted, filter)
  const found = all.filter(
    ({ message: { turn } }) => turn === undefined || turn !== search.withoutTurn,
  )
  return found.slice(0, topK).map(({ channel: name, position, score, why, message }) => ({
    messages: [{ role: message.role, content: message.content }],
    score: roundScore(score),
    id: messageId(name, position),
    source: { channel: name, position },
    channel: name,
    position,
    role: message.role,
    ts: message.ts,
    why,
  }))
}

function readSearch(message: Message, defaultScope: Scope): Search {
  const scope = optionalString(message, 'scope') ?? defaultScope
  if (scope !== 'hard' && scope !== 'history' && scope !== 'all') {
    throw requestError('scope must be hard, history or all')
  }
  const recent = optionalInteger(message, 'skip_recent') ?? 0
  const recentChannel = optionalString(message, 'recent_channel')
  return {
    query: stringField(message, 'query'),
    topK: optionalInteger(message, 'top_k') ?? defaultResults,
    scope,
    minScore: optionalNumber(message, 'min_score') ?? 0,
    distinct: optionalBoolean(message, 'dedupe') ?? false,
    sinceMs: timeField(message, 'since', 'start'),
    untilMs: timeField(message, 'until', 'end'),
    atMs: timeField(message, 'at', 'end'),
    channel: optionalString(message, 'channel'),
    withoutTurn: optionalString(message, 'without_turn'),
    skipRecent:
      recent > 0 && recentChannel !== undefined
        ? { channel: recentChannel, count: recent }
        : undefined,
  }
}

/** A time in RFC 3339, or a date, which stands for its start or its end in UTC. */
export function timeField(
  message: Message,
  name: string,
  edge: 'start' | 'end',
): number | undefined {
  const value = message[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const text = optionalString(message, name) ?? ''
  const isDate = text.length === 'YYYY-MM-DD'.length
  const time = momentMs(isDate && edge === 'end' ? `${text}T23:59:59.999Z` : text)
  if (time !== undefined) return time
  throw requestError(`${name} must be a date or an RFC 3339 time`)
}

/** Rounds to four decimals; a hit never scores 0. */
function roundScore(score: number): number {
  return Math.max(minShownScore, Math.round(score * 10_000) / 10_000)
}
