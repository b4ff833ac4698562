// What every tool answers: data, or an error with a stable code. It goes to the model, to the
// session and to the screen in this one form. The session keeps all of it; to the model a very large
// one goes with the middles of its texts left out, so that a single output cannot make every later
// request fail. What goes out is always an envelope.
import { headTail } from '@zee/core/bounded'
import type { ToolResultPart } from '@zee/llm'

export type Envelope =
  | { ok: true; data: Readonly<Record<string, unknown>> }
  | { ok: false; error: { code: string; message: string } }

export function success(data: Readonly<Record<string, unknown>>): Envelope {
  return { ok: true, data }
}

export function failure(code: string, message: string): Envelope {
  return { ok: false, error: { code, message } }
}

const maxSentBytes = 64 * 1024
/** What `read` gives goes out whole, also where JSON needs two bytes for one. */
const maxUncutTextBytes = 51 * 1024
/** Of everything but texts; beyond it cutting texts is no way to make an envelope short. */
const maxOtherBytes = 16 * 1024

export function toolResultPart(id: string, envelope: Envelope): ToolResultPart {
  return { type: 'tool_result', id, content: resultContent(envelope), isError: !envelope.ok }
}

function resultContent(envelope: Envelope): string {
  const whole = JSON.stringify(envelope)
  const bytes = Buffer.byteLength(whole)
  if (bytes <= maxSentBytes) return whole
  const texts = collectStrings(envelope)
  const sizes = texts.map(jsonBytes)
  const other = bytes - sum(sizes)
  if (other > maxOtherBytes && envelope.ok) {
    return resultContent(success({ json: JSON.stringify(envelope.data) }))
  }
  if (sum(texts.map((text) => Buffer.byteLength(text))) <= maxUncutTextBytes) return whole
  const most = fairShare(sizes, maxSentBytes - other)
  return JSON.stringify(envelope, (_key, value: unknown) =>
    typeof value === 'string' ? cutMiddle(value, most) : value,
  )
}

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(collectStrings)
    : []
}

/** The size that no text may exceed so that all of them fit into `budget` together. */
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

/** The two ends of a text that takes more than `most` bytes of JSON. */
function cutMiddle(text: string, most: number): string {
  if (text.length <= most && jsonBytes(text) <= most) return text
  for (let half = Math.floor(most / 2); ;) {
    let mark = ''
    const cut = headTail(text, half, half, (omitted) => {
      return (mark = `\n[... ${omitted} bytes left out ...]\n`)
    })
    const size = jsonBytes(cut.text) - jsonBytes(mark)
    if (size <= most) return cut.text
    half = Math.floor((half * most) / (size + 1))
  }
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
