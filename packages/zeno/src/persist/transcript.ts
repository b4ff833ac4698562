// What a Claude Code transcript gained since the last look: the assistant's texts of the new entries.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { fileError } from '@zee/core/errors'
import { assistantText } from './message-text.ts'
import { parseObject } from '@zee/core/json'

export interface TranscriptUpdate {
  text: string
  /** Of the last assistant entry among them. */
  turnId: string | undefined
  /** Where to go on next time: behind the last whole line. */
  offset: number
}

const newline = 0x0a
const maxBytes = 64 * 1024 * 1024

/** A transcript that became shorter was replaced and is read from its beginning. */
export function readTranscript(file: string, from: number): TranscriptUpdate {
  const descriptor = openTranscript(file)
  try {
    const { size } = fstatSync(descriptor)
    const start = Math.max(from > size ? 0 : from, size - maxBytes)
    const bytes = Buffer.alloc(size - start)
    const length = readSync(descriptor, bytes, 0, bytes.length, start)
    const end = bytes.subarray(0, length).lastIndexOf(newline) + 1
    return { ...parseEntries(bytes.toString('utf8', 0, end)), offset: start + end }
  } finally {
    closeSync(descriptor)
  }
}

function openTranscript(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    throw fileError('read', file, error)
  }
}

function parseEntries(lines: string): Omit<TranscriptUpdate, 'offset'> {
  const texts: string[] = []
  let turnId: string | undefined
  for (const line of lines.split('\n')) {
    const entry = parseObject(line)
    const text = assistantText(entry)
    if (text === undefined || entry === undefined || entry.isSidechain === true) continue
    texts.push(text)
    if (typeof entry.uuid === 'string') turnId = entry.uuid
  }
  return { text: texts.join('\n'), turnId }
}
