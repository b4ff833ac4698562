// Shows, edits and forgets single memories. An edit stores a new version; a forgotten memory leaves only a
// tombstone, in no file and in no version.
import { rfc3339, systemClock } from '@zee/core/clock'
import { requestError } from '../../fields/fields.ts'
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
  if (forgotten !== undefined && (message === undefined || message.content === '')) return forgotten
  if (message === undefined) throw missing(id)
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
    const message = await memory.channels.message(channel, position)
    if (message === undefined) throw missing(id)
    await memory.channels.editMessage(channel, position, content, ts)
    return messageId(channel, position)
  }
  const found = await memory.hard.get(id.id)
  if (found === undefined) throw missing(id)
  const role = found.messages[0]?.role ?? 'user'
  const edited = { messages: [{ role, content }], tag: found.tag, ts, replaces: found.id }
  return (await memory.hard.store(edited, false)).id
}

/** Forgets every version of a hard memory. */
export async function forgetHard(memory: Memory, id: number, reason: string): Promise<void> {
  const versions = await memory.hard.versionsOf(id)
  if (versions.length === 0) throw missing({ kind: 'hard', id })
  for (const { id: version, messages, tag } of versions) {
    const texts = messages.map(({ content }) => content)
    memory.tombstones.add(String(version), { messages, tag }, texts, { ts: now(), reason })
    await memory.hard.forget(version)
    await memory.scrub({ turns: new Set(), texts })
  }
}

export async function forgetMessage(
  memory: Memory,
  channel: string,
  position: number,
  reason: string,
): Promise<void> {
  const message = await memory.channels.message(channel, position)
  if (message === undefined) throw missing({ kind: 'message', channel, position })
  const { role, content, ts, turn } = message
  const stone = { ts: now(), reason }
  memory.tombstones.add(messageId(channel, position), { role, content }, [content], stone)
  const gone = { role: 'assistant', content: '', ts, forgotten: true }
  await memory.channels.replaceMessage(channel, position, gone)
  await memory.scrub({ turns: new Set(turn === undefined ? [] : [turn]), texts: [content] })
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
