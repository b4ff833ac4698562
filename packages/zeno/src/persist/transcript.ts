// Reads the assistant's texts that were appended to a Claude Code transcript since the last call.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { fileError } from '@zee/core/errors'
import { assistantText } from './message-text.ts'
import { parseObject } from '@zee/core/json'

export interface TranscriptUpdate {
  text: string
  /** The uuid of the last new assistant entry. */
  turnId: string | undefined
  /** Offset after the last complete line, where the next call continues. */
  offset: number
}

const newline = 0x0a
const maxBytes = 64 * 1024 * 1024

/** Reads from offset `from`; a transcript shorter than that was replaced and is read from its start. */
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
