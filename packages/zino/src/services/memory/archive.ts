// Backups: all memories in one file of JSON lines, with a hash of everything at its end. A restore checks
// the hash before it changes anything.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { fileError, ZeeError } from '@zee/core/errors'
import type { Memory } from './requests.ts'

export interface ArchiveCounts {
  memories: number
  messages: number
  sha256: string
}

interface ArchiveLine {
  kind?: string
  [field: string]: unknown
}

export async function writeBackup(file: string, memory: Memory): Promise<ArchiveCounts> {
  const lines: string[] = []
  const counts = { memories: 0, messages: 0 }
  for (const entry of await memory.hard.everything()) {
    lines.push(JSON.stringify({ kind: 'hard', ...entry }))
    counts.memories += 1
  }
  for (const { channel_id: channel } of await memory.channels.list()) {
    if (channel === undefined) continue
    for (const message of await memory.channels.history(channel, 0)) {
      lines.push(JSON.stringify({ kind: 'message', channel, ...message }))
      counts.messages += 1
    }
  }
  lines.push(JSON.stringify({ kind: 'soft', content: await memory.soft.get() }))
  const body = `${lines.join('\n')}\n`
  const sha256 = hashOf(body)
  const end = JSON.stringify({ kind: 'end', ...counts, sha256 })
  await writeFileAtomic(file, `${body}${end}\n`, { mode: 0o600 })
  return { ...counts, sha256 }
}

/** Replaces all memories by those of the backup. */
export async function restoreBackup(file: string, memory: Memory): Promise<ArchiveCounts> {
  const { lines, sha256 } = readArchive(file)
  const hard = lines.filter(({ kind }) => kind === 'hard')
  const channels = new Map<string, object[]>()
  for (const { kind, channel, ...message } of lines) {
    if (kind !== 'message') continue
    const name = String(channel)
    const list = channels.get(name) ?? []
    list.push(message)
    channels.set(name, list)
  }
  for (const { channel_id: name } of await memory.channels.list()) {
    if (name !== undefined && !channels.has(name)) await memory.channels.clear(name)
  }
  for (const [name, messages] of channels) await memory.channels.replace(name, messages)
  await memory.hard.replaceAll(hard.map((line) => withoutKind(line)))
  const soft = lines.find(({ kind }) => kind === 'soft')
  await memory.soft.set(String(soft?.content ?? ''))
  const messages = [...channels.values()].reduce((sum, list) => sum + list.length, 0)
  return { memories: hard.length, messages, sha256 }
}

function withoutKind(line: ArchiveLine): object {
  return Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'kind'))
}

function readArchive(file: string): { lines: ArchiveLine[]; sha256: string } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
  const bodyEnd = text.trimEnd().lastIndexOf('\n') + 1
  const body = text.slice(0, bodyEnd)
  try {
    const end = JSON.parse(text.slice(bodyEnd)) as ArchiveLine
    if (end.kind === 'end' && end.sha256 === hashOf(body)) {
      const lines = body.split('\n').filter((line) => line !== '')
      return { lines: lines.map((line) => JSON.parse(line) as ArchiveLine), sha256: end.sha256 }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ZeeError('damaged', `${file} is not a complete backup: nothing was changed`)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
