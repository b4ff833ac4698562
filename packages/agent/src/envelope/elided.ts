// The line that replaces an old tool result in a request. It names the event of the session with which
// the model can recall the result.
import { oneLine } from '@zee/core/errors'
import type { Envelope } from './envelope.ts'

export interface ElidedResult {
  /** Line number of the result in the session. */
  event: number
  tool: string
  input: Readonly<Record<string, unknown>>
  output: Envelope
}

const start = '[elided: result of event '
const maxObjectCharacters = 80

/** `[elided: result of event 12 (bash "npm test", 34 KB). Use recall with event 12.]` */
export function elidedLine({ event, tool, input, output }: ElidedResult): string {
  const object = callObject(input)
  const shown = object === undefined ? '' : ` "${object}"`
  const size = formatSize(Buffer.byteLength(JSON.stringify(output)))
  return `${start}${event} (${oneLine(tool)}${shown}, ${size}). Use recall with event ${event}.]`
}

/** Whether the content of a tool result is such a line; other results are JSON objects. */
export function isElidedLine(content: string): boolean {
  return content.startsWith(start)
}

/** The first line of what the call is about: its command, path, pattern or first text. */
function callObject(input: ElidedResult['input']): string | undefined {
  const { command, path, pattern, event } = input
  const texts = [command, path, pattern, ...Object.values(input)]
  const text = texts.find((value) => typeof value === 'string') ?? event
  if (text === undefined) return undefined
  const line = oneLine(String(text).trim().replace(/\n.*$/s, ''))
  const characters = [...line]
  if (characters.length <= maxObjectCharacters) return line
  return `${characters.slice(0, maxObjectCharacters).join('')}…`
}

function formatSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`
}
