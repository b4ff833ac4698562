// Everything that a prompt may have quoted from memory, read from the files without mem: the messages of
// all channels and hard memories, and the hashes of forgotten ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readJournalSync } from '@zee/core/journal'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages } from '../../fields/fields.ts'
import { parseList } from './storage/storage.ts'

export interface StoredTexts {
  messages: Iterable<ChatMessage>
  /** SHA-256 of the contents of forgotten messages. */
  forgotten: readonly string[]
}

export function storedTexts(folder: string): StoredTexts {
  return { messages: storedMessages(folder), forgotten: forgottenHashes(folder) }
}

function* storedMessages(folder: string): Generator<ChatMessage> {
  const channels = path.join(folder, 'channels')
  const names = existsSync(channels) ? readdirSync(channels) : []
  for (const name of names.filter((each) => /^[^.].*\.json$/.test(each))) {
    yield* chatMessages(listIn(path.join(channels, name)))
  }
  for (const memory of listIn(path.join(folder, 'hard_memories.json'))) {
    yield* chatMessages((memory as { messages?: unknown }).messages)
  }
}

function listIn(file: string): readonly object[] {
  return existsSync(file) ? (parseList(readFileSync(file)) ?? []) : []
}

function forgottenHashes(folder: string): string[] {
  const file = path.join(folder, 'tombstones.jsonl')
  const hashes: string[] = []
  if (!existsSync(file)) return hashes
  readJournalSync(file, ({ record }) => {
    if (Array.isArray(record.contents)) hashes.push(...record.contents.map(String))
  })
  return hashes
}
