// Shows, edits and forgets single memories. An edit stores a new version; a forgotten memory leaves only a
// tombstone, in no file and in no version.
import { rfc3339, systemClock } from '@zee/core/clock'
import type { StoredMessage } from '../../fields/fields.ts'
import { requestError } from '../../fields/fields.ts'
import type { StoredMemory } from './hard-memories/hard-memories.ts'
import type { MemoryId } from './ids.ts'
import { messageId } from './ids.ts'
import type { Memory } from './requests.ts'

export async function describeMemory(memory: Memory, id: MemoryId): Promise<object> {
  const name = nameOf(id)
  // An id may be in use again: a backup was restored, or the channel was cleared and continued.
  const tombstone = memory.tombstones.find(name)
  const forgotten = tombstone === undefined ? undefined : { id: name, forgotten: tombstone }
  if (id.kind === 'hard') {
    const found = await memory.hard.get(id.id)
    if (found !== undefined) return { source: 'hard', ...found }
    if (forgotten !== undefined) return forgotten
    throw missing(id)
  }
  const { channel, position } = id
  const message = await memory.channels.message(channel, position)
  if (message === undefined) {
    if (forgotten !== undefined) return forgotten
    throw missing(id)
  }
  const { ts, role, content } = message
  return {
    id: name,
    source: { channel, position },
    channel,
    position,
    messages: [{ role, content }],
    ts,
  }
}

/** Resolves to the id of the new version. */
export async function editMemory(memory: Memory, id: MemoryId, content: string): Promise<unknown> {
  const ts = now()
  if (id.kind === 'message') {
    const { channel, position } = id
    if (!(await memory.channels.editMessage(channel, position, content, ts))) throw missing(id)
    return messageId(channel, position)
  }
  return memory.hard.withVersions(id.id, async ([newest]) => {
    if (newest === undefined) throw missing(id)
    const role = newest.messages[0]?.role ?? 'user'
    const edited = { messages: [{ role, content }], tag: newest.tag, ts, replaces: newest.id }
    return (await memory.hard.store(edited, false)).id
  })
}

/** Forgets every version of a hard memory. */
export function forgetHard(memory: Memory, id: number, reason: string): Promise<void> {
  return memory.hard.withVersions(id, async (versions) => {
    if (versions.length === 0) throw missing({ kind: 'hard', id })
    const textsOf = ({ messages }: StoredMemory) => messages.map(({ content }) => content)
    // The copies go first: a forget that a crash interrupts can be repeated while the memory exists.
    await memory.scrub({ turns: new Set(), texts: versions.flatMap(textsOf) })
    for (const version of versions) {
      const { messages, tag } = version
      const stone = { ts: now(), reason }
      await memory.tombstones.add(String(version.id), { messages, tag }, textsOf(version), stone)
      await memory.hard.forget(version.id)
    }
  })
}

export async function forgetMessage(
  memory: Memory,
  channel: string,
  position: number,
  reason: string,
): Promise<void> {
  const turn = (await memory.channels.message(channel, position))?.turn
  // Before the channel is locked: daemon may store an answer in it.
  if (turn !== undefined) await memory.endTurns(new Set([turn]))
  const onForget = async ({ role, content, turn }: StoredMessage, texts: readonly string[]) => {
    await memory.scrub({ turns: new Set(turn === undefined ? [] : [turn]), texts })
    const stone = { ts: now(), reason }
    await memory.tombstones.add(messageId(channel, position), { role, content }, texts, stone)
  }
  if (await memory.channels.forgetMessage(channel, position, onForget)) return
  throw missing({ kind: 'message', channel, position })
}

function nameOf(id: MemoryId): string {
  return id.kind === 'hard' ? String(id.id) : messageId(id.channel, id.position)
}

function missing(id: MemoryId): Error {
  return requestError(
    id.kind === 'hard' ? `there is no hard memory ${id.id}` : `there is no message ${nameOf(id)}`,
  )
}

function now(): string {
  return rfc3339(systemClock.now())
}
