// Summarizes a session for a list. Reads only the first 16 KiB, which hold the project and the first
// prompt, and the last 16 KiB, which hold the latest receipt, so that the cost is independent of the
// session's size.
import { closeSync, openSync, readSync } from 'node:fs'
import type { SessionEntry } from '../session/session.ts'
import { metaOf, sessionPath } from '../session/session.ts'

export interface SessionSummary {
  /** The first prompt, possibly cut. */
  title?: string | undefined
  provider?: string
  model?: string
  /** Input and output tokens of the latest answer: the size of the conversation. */
  tokens?: number
  /** The canonical path of the project. */
  root?: string | undefined
}

const headBytes = 16 * 1024
const tailBytes = 16 * 1024

export function summarizeSession(folder: string, { id, bytes }: SessionEntry): SessionSummary {
  const descriptor = openSync(sessionPath(folder, id), 'r')
  try {
    const isSmall = bytes <= headBytes + tailBytes
    const head = readRange(descriptor, 0, isSmall ? bytes : headBytes)
    const tail = isSmall ? head : readRange(descriptor, bytes - tailBytes, tailBytes)
    return { title: findTitle(head), root: metaOf(head)?.root, ...findReceipt(tail) }
  } finally {
    closeSync(descriptor)
  }
}

function readRange(descriptor: number, position: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length)
  const bytesRead = readSync(descriptor, buffer, 0, length, position)
  return buffer.toString('utf8', 0, bytesRead)
}

/** The text of the first user record, possibly cut. */
function findTitle(head: string): string | undefined {
  const text = /"role":"user","text":"((?:[^"\\]|\\.)*)/.exec(head)?.[1]
  if (text === undefined) return undefined
  try {
    // A cut may leave an incomplete escape or character.
    return JSON.parse(
      `"${text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '').replace(/\uFFFD+$/, '')}"`,
    ) as string
  } catch {
    return undefined
  }
}

/** Matches only the fields of a record, because quotes inside a text are escaped. */
const receipts =
  /"provider":"([^"\\]*)","model":"((?:[^"\\]|\\.)*)"(?:,"usage":\{"input_tokens":(\d+),"output_tokens":(\d+))?/g

function findReceipt(tail: string): Omit<SessionSummary, 'title'> {
  let last: RegExpExecArray | undefined
  for (const match of tail.matchAll(receipts)) last = match
  if (last === undefined) return {}
  const [, provider = '', model = '', input, output] = last
  const tokens = input === undefined ? {} : { tokens: Number(input) + Number(output) }
  return { provider, model, ...tokens }
}
