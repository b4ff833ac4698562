// Summarizes a session for a list. Reads only its start, which holds the project and the first prompt,
// and its end, which holds the latest receipt, so that the cost is independent of the session's size.
import { closeSync, openSync, readSync } from 'node:fs'
import type { SessionEntry } from '../session/session.ts'
import { metaOf, sessionPath } from '../session/session.ts'

export interface SessionSummary {
  /** The first prompt, possibly cut. */
  title?: string | undefined
  provider?: string | undefined
  model?: string | undefined
  /** Input and output tokens of the latest answer: the size of the conversation. */
  tokens?: number
  /** The canonical path of the project. */
  root?: string | undefined
}

/** Enough for most sessions; the larger size is read if the first does not suffice. */
const [smallHead, largeHead] = [2048, 16 * 1024]
const [smallTail, largeTail] = [4096, 64 * 1024]

export function summarizeSession(folder: string, { id, bytes }: SessionEntry): SessionSummary {
  const descriptor = openSync(sessionPath(folder, id), 'r')
  try {
    if (bytes <= smallHead + smallTail) {
      const text = readRange(descriptor, 0, bytes)
      return { ...findStart(text), ...findReceipt(text) }
    }
    const start = findStart(readRange(descriptor, 0, smallHead))
    const receipt = findReceipt(readRange(descriptor, bytes - smallTail, smallTail))
    return {
      ...(start.title === undefined ? findStart(readRange(descriptor, 0, largeHead)) : start),
      // A receipt that describes many segments of its request is long.
      ...(receipt.model === undefined
        ? findReceipt(readRange(descriptor, Math.max(0, bytes - largeTail), largeTail))
        : receipt),
    }
  } finally {
    closeSync(descriptor)
  }
}

function findStart(head: string): Pick<SessionSummary, 'title' | 'root'> {
  return { title: findTitle(head), root: metaOf(head)?.root }
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

function findReceipt(tail: string): Omit<SessionSummary, 'title' | 'root'> {
  let last: RegExpExecArray | undefined
  for (const match of tail.matchAll(receipts)) last = match
  if (last === undefined) return {}
  const [, provider, model, input, output] = last
  const tokens = input === undefined ? {} : { tokens: Number(input) + Number(output) }
  return { provider, model, ...tokens }
}
