// The result of every tool call: data, or an error with a stable code. The session stores the complete
// envelope. The model receives at most 64 KiB, with the middle of long texts omitted, because a huge
// result would make every later request fail.
import { headTail } from '@zee/core/bounded'
import type { ImagePart, ToolResultPart } from '@zee/llm'
export { elidedLine, isElidedLine, type ElidedResult } from './elided.ts'

export type Envelope =
  | { ok: true; data: Readonly<Record<string, unknown>>; images?: readonly ImagePart[] }
  | { ok: false; error: { code: string; message: string } }

export function success(data: Readonly<Record<string, unknown>>): Envelope & { ok: true } {
  return { ok: true, data }
}

export function failure(code: string, message: string): Envelope {
  return { ok: false, error: { code, message } }
}

const maxSentBytes = 64 * 1024
/** A result of `read` is never cut, even if JSON escapes double its size. */
const maxUncutTextBytes = 51 * 1024
/** Maximum size of everything but strings; beyond it, cutting strings is not enough. */
const maxOtherBytes = 16 * 1024

export function toolResultPart(id: string, envelope: Envelope): ToolResultPart {
  const { result, images } = splitImages(envelope)
  return {
    type: 'tool_result',
    id,
    content: resultContent(result),
    isError: !envelope.ok,
    ...(images.length === 0 ? {} : { images }),
  }
}

/** Separates the images from the result: renderers show the result, models receive both. */
export function splitImages(envelope: Envelope): {
  result: Envelope
  images: readonly ImagePart[]
} {
  if (!envelope.ok || envelope.images === undefined) return { result: envelope, images: [] }
  return { result: success(envelope.data), images: envelope.images }
}

function resultContent(envelope: Envelope): string {
  const json = JSON.stringify(envelope)
  const bytes = Buffer.byteLength(json)
  if (bytes <= maxSentBytes) return json
  const texts = collectStrings(envelope)
  const sizes = texts.map(jsonBytes)
  const other = bytes - sum(sizes)
  if (other > maxOtherBytes && envelope.ok) {
    return resultContent(success({ json: JSON.stringify(envelope.data) }))
  }
  if (sum(texts.map((text) => Buffer.byteLength(text))) <= maxUncutTextBytes) return json
  const maxTextBytes = fairShare(sizes, maxSentBytes - other)
  return JSON.stringify(envelope, (_key, value: unknown) =>
    typeof value === 'string' ? cutMiddle(value, maxTextBytes) : value,
  )
}

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(collectStrings)
    : []
}

/** The maximum size of each text so that all texts together fit into `budget`. */
function fairShare(sizes: readonly number[], budget: number): number {
  let left = budget
  const ascending = [...sizes].sort((a, b) => a - b)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return budget
}

/** Cuts the middle of a text that needs more than `maxBytes` as JSON. */
function cutMiddle(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && jsonBytes(text) <= maxBytes) return text
  for (let half = Math.floor(maxBytes / 2); ;) {
    let mark = ''
    const cut = headTail(text, half, half, (omitted) => {
      return (mark = `\n[... ${omitted} bytes left out ...]\n`)
    })
    const size = jsonBytes(cut.text) - jsonBytes(mark)
    if (size <= maxBytes) return cut.text
    half = Math.floor((half * maxBytes) / (size + 1))
  }
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
