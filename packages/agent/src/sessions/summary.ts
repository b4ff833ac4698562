// What a list says of a session, from its two ends alone: a large session costs no more than a small
// one. The first prompt is at the beginning, the latest answer's receipt at the end.
import { closeSync, openSync, readSync } from 'node:fs'
import type { SessionEntry } from '../session/session.ts'
import { sessionPath } from '../session/session.ts'

export interface SessionSummary {
  /** The first prompt, or as much of it as lies within reach. */
  title?: string
  provider?: string
  model?: string
  /** What the latest answer took: how long the conversation has become. */
  tokens?: number
}

const headBytes = 2048
const tailBytes = 4096

export function summarizeSession(folder: string, { id, bytes }: SessionEntry): SessionSummary {
  const descriptor = openSync(sessionPath(folder, id), 'r')
  try {
    const isSmall = bytes <= headBytes + tailBytes
    const head = readRange(descriptor, 0, isSmall ? bytes : headBytes)
    const tail = isSmall ? head : readRange(descriptor, bytes - tailBytes, tailBytes)
    const title = findTitle(head)
    return { ...(title === undefined ? {} : { title }), ...findReceipt(tail) }
  } finally {
    closeSync(descriptor)
  }
}

function readRange(descriptor: number, position: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length)
  const got = readSync(descriptor, buffer, 0, length, position)
  return buffer.toString('utf8', 0, got)
}

/** The text of the first user line; the end of it may be missing. */
function findTitle(head: string): string | undefined {
  const found = /"role":"user","text":"((?:[^"\\]|\\.)*)/.exec(head)?.[1]
  if (found === undefined) return undefined
  try {
    // A cut may leave half of an escape.
    return JSON.parse(
      `"${found.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '').replace(/\uFFFD+$/, '')}"`,
    ) as string
  } catch {
    return undefined
  }
}

/** Inside a text every quote is escaped, so this matches the fields of a line only. */
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
