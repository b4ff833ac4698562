// The messages of mem: the fields of each request and its answer.
import { rfc3339, systemClock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import {
  optionalBoolean,
  optionalInteger,
  optionalString,
  requestError,
  storedMessagesField,
  stringField,
} from '../../fields/fields.ts'
import type { Handler } from '../../service/service.ts'
import type { Forgotten } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import type { Channels } from './channels/channels.ts'
import { restoreBackup, writeBackup } from './archive.ts'
import { describeMemory, editMemory, forgetHard, forgetMessage } from './edit.ts'
import type { HardMemories } from './hard-memories/hard-memories.ts'
import type { MemoryId } from './ids.ts'
import type { RedactRequest } from './redact-request.ts'
import { parseMemoryId } from './ids.ts'
import { answerSearch, timeField } from './search-requests.ts'
import type { SoftMemory } from './soft-memory.ts'
import type { Tombstones } from './tombstones.ts'

export interface Memory {
  channels: Channels
  hard: HardMemories
  soft: SoftMemory
  tombstones: Tombstones
  /** Ends these turns if they are still running, and keeps their answers for no client. */
  endTurns(turns: ReadonlySet<string>): Promise<void>
  /** Removes the records of these turns, and of finished turns that contain one of the texts. */
  scrub(forgotten: Forgotten): Promise<void>
}

const defaultListed = 100
const maxListed = 1000
/** Characters of the messages in one answer to `get_history` with `from`; a frame has 64 MiB. */
const maxPageLength = 4 * 1024 * 1024
/** Texts to look for in the records of turns; messages of turns are found by their turn. */
const maxScrubbed = 200

type Request = (message: Message, memory: () => Promise<Memory>) => Promise<object>

/** Each request validates its fields before it awaits, so that an invalid one changes nothing. */
const requests: Readonly<Record<string, Request>> = {
  get_history: async (message, memory) => {
    const id = channelField(message)
    const limit = optionalInteger(message, 'limit') ?? 0
    const turn = optionalString(message, 'turn')
    const other = optionalString(message, 'without_turn')
    const from = optionalInteger(message, 'from')
    const stored = (await (await memory()).channels.history(id, limit)) as Message[]
    const rest = stored.slice(Math.max(0, from ?? 0))
    const page = from === undefined ? rest : pageOf(rest)
    const messages = turn === undefined ? page : page.filter((each) => each.turn === turn)
    const more = page.length < rest.length ? true : undefined
    return { type: 'history', messages: withoutTurn(messages, other), more }
  },
  append_history: async (message, memory) => {
    const id = channelField(message)
    const now = rfc3339(systemClock.now())
    const messages = storedMessagesField(message, 'messages', now)
    const turn = optionalString(message, 'turn')
    const isAmended = optionalBoolean(message, 'amend') ?? false
    const { channels } = await memory()
    if (turn === undefined) await channels.append(id, messages)
    else await channels.appendTurn(id, turn, messages, isAmended)
    return { type: 'ok' }
  },
  clear_history: async (message, memory) => {
    const id = channelField(message)
    const { channels, endTurns, scrub } = await memory()
    const messages = (await channels.history(id, 0)) as Message[]
    const turns = new Set(messages.flatMap(({ turn }) => (typeof turn === 'string' ? [turn] : [])))
    const others = messages.filter(({ turn }) => typeof turn !== 'string').slice(0, maxScrubbed)
    await endTurns(turns)
    // The copies go first: a clear that a crash interrupts can be repeated while the channel exists.
    await scrub({ turns, texts: others.map(({ content }) => String(content)) })
    const existed = await channels.clear(id)
    return optionalBoolean(message, 'report') === true ? { type: 'ok', existed } : { type: 'ok' }
  },
  list_channels: async (_, memory) => {
    return { type: 'channels', channels: await (await memory()).channels.list() }
  },
  store_hard: async (message, memory) => {
    const now = rfc3339(systemClock.now())
    const stored = storedMessagesField(message, 'messages', now)
    const messages = stored.map(({ role, content }) => ({ role, content }))
    const ts = stored[0]?.ts ?? now
    const tag = optionalString(message, 'tag') ?? ''
    const dedupe = optionalBoolean(message, 'dedupe') ?? false
    const { id, isNew } = await (await memory()).hard.store({ messages, tag, ts }, dedupe)
    return isNew ? { type: 'ok', id } : { type: 'ok', id, duplicate: true }
  },
  search_hard: (message, memory) => answerSearch(message, memory, 'hard'),
  search_all: (message, memory) => answerSearch(message, memory, 'all'),
  list_hard: async (message, memory) => {
    const after = optionalInteger(message, 'after') ?? -1
    const limit = Math.min(optionalInteger(message, 'limit') ?? defaultListed, maxListed)
    const tag = optionalString(message, 'tag')
    const sinceMs = timeField(message, 'since', 'start')
    const { memories, total } = await (await memory()).hard.list(after, limit, { tag, sinceMs })
    return { type: 'hard_memories', results: memories, total }
  },
  forget_hard: async (message, memory) => {
    const id = optionalInteger(message, 'id')
    if (id === undefined) throw requestError('id is required')
    await forgetHard(await memory(), id, optionalString(message, 'reason') ?? '')
    return { type: 'ok', id }
  },
  get_memory: async (message, memory) => {
    return { type: 'memory', ...(await describeMemory(await memory(), memoryField(message))) }
  },
  edit_memory: async (message, memory) => {
    const id = memoryField(message)
    const content = stringField(message, 'content')
    if (content.trim() === '') throw requestError('the content must not be empty')
    return { type: 'ok', id: await editMemory(await memory(), id, content) }
  },
  forget: async (message, memory) => {
    const id = memoryField(message)
    const reason = optionalString(message, 'reason') ?? ''
    const opened = await memory()
    if (id.kind === 'hard') await forgetHard(opened, id.id, reason)
    else await forgetMessage(opened, id.channel, id.position, reason)
    return { type: 'ok' }
  },
  backup: async (message, memory) => {
    const file = stringField(message, 'file')
    return { type: 'ok', file, ...(await writeBackup(file, await memory())) }
  },
  restore: async (message, memory) => {
    const file = stringField(message, 'file')
    return { type: 'ok', file, ...(await restoreBackup(file, await memory())) }
  },
  get_soft: async (_, memory) => {
    return { type: 'soft_memory', content: await (await memory()).soft.get() }
  },
  set_soft: async (message, memory) => {
    const content = stringField(message, 'content')
    if (/\p{Surrogate}/u.test(content)) throw requestError('content contains an unpaired surrogate')
    await (await memory()).soft.set(content)
    return { type: 'ok' }
  },
  stats: async (_, memory) => {
    const { channels, hard, soft } = await memory()
    const list = await channels.list()
    const { memories, forgotten, bytes, indexBytes, found } = await hard.stats()
    return {
      type: 'stats',
      channels: list.length,
      channel_messages: list.reduce((sum, entry) => sum + (entry.messages ?? 0), 0),
      channel_bytes: list.reduce((sum, entry) => sum + entry.bytes, 0),
      hard_memories: memories,
      hard_forgotten: forgotten,
      hard_never_found: memories - found,
      hard_bytes: bytes,
      index_bytes: indexBytes,
      soft_bytes: Buffer.byteLength(await soft.get()),
    }
  },
}

/**
 * Handlers by type; `memory` resolves when the data folder is ready. `exit` ends the service when
 * another process owns the folder.
 */
export function memoryHandlers(
  memory: () => Promise<Memory>,
  redact: RedactRequest,
  exit: (reason: string) => void,
): Record<string, Handler> {
  const answer = async (request: Request, message: Message): Promise<object> => {
    try {
      return await request(redact(message), memory)
    } catch (error) {
      if (error instanceof ZeeError && error.code === 'lock_lost') exit(error.message)
      throw error
    }
  }
  const entries = Object.entries(requests).map(([type, request]): [string, Handler] => [
    type,
    (message) => answer(request, message),
  ])
  return Object.fromEntries(entries)
}

/** As many messages as one frame can hold, at least one. */
function pageOf(messages: readonly Message[]): Message[] {
  let length = 0
  const end = messages.findIndex(({ content }, at) => {
    length += typeof content === 'string' ? content.length : 0
    return at > 0 && length > maxPageLength
  })
  return end === -1 ? [...messages] : messages.slice(0, end)
}

/** Messages without the turn's own, and without the ids of turns. */
function withoutTurn(messages: readonly Message[], turn: string | undefined): Message[] {
  const others = turn === undefined ? messages : messages.filter((each) => each.turn !== turn)
  return others.map((message) => {
    const { turn: id, earlier, ...rest } = message
    return id === undefined && earlier === undefined ? message : rest
  })
}

function memoryField(message: Message): MemoryId {
  const id = parseMemoryId(message.id)
  if (id !== undefined) return id
  throw requestError('id must be the number of a hard memory, or CHANNEL:POSITION')
}

function channelField(message: Message): string {
  const id = message.channel_id
  if (typeof id !== 'string' || id === '') throw requestError('channel_id required')
  return id
}
