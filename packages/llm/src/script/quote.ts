// Resolves quotes of the request: {{last_tool...}}, {{user}}, {{find:/regex/}}. Other double braces
// are plain text, so that a screenplay can contain other templates.
import { asRecord } from '../json/json.ts'
import { messageText, type Message } from '../request/request.ts'

/** The parts of a request that a response may quote. */
interface Quotable {
  system?: string | undefined
  messages: readonly Message[]
}

const quotes = /\{\{(?:(user)|(last_tool(?:\.[\w-]+)*)|find:\/((?:\\.|[^\\/])+)\/([a-z]*))\}\}/g

/** Replaces the quotes in `text`; throws an error that names a quote without a match. */
export function fillText(text: string, from: Quotable): string {
  return text.replace(quotes, (...match) => {
    const value = resolveQuote(match, from)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

/** Replaces the quotes in every nested string; a string that is one quote keeps the value's type. */
export function fillValue(value: unknown, from: Quotable): unknown {
  if (typeof value === 'string') {
    const [only] = value.matchAll(quotes)
    return only?.[0] === value ? resolveQuote(only, from) : fillText(value, from)
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, from))
  const object = asRecord(value)
  if (object === undefined) return value
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => [key, fillValue(inner, from)]),
  )
}

/** The text of the latest user message with text. */
export function lastUserText(messages: readonly Message[]): string {
  const last = messages.findLast(
    (message) => message.role === 'user' && messageText(message) !== '',
  )
  return last === undefined ? '' : messageText(last)
}

function resolveQuote(match: readonly (string | undefined)[], from: Quotable): unknown {
  const [quote = '', user, tool, pattern, flags] = match
  let value: unknown
  if (user !== undefined) value = lastUserText(from.messages)
  else if (tool !== undefined) value = fromLastTool(tool.split('.').slice(1), from)
  else if (pattern !== undefined) value = firstMatch(pattern, flags ?? '', from)
  if (value === undefined) throw new Error(`${quote} matches nothing in the request`)
  return value
}

/** The value at a path in the last tool result; `stdout` is short for `data.stdout`. */
function fromLastTool(path: readonly string[], from: Quotable): unknown {
  const results = from.messages.flatMap((message) =>
    message.parts.filter((part) => part.type === 'tool_result'),
  )
  const content = results.at(-1)?.content
  if (content === undefined || path.length === 0) return content
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return undefined
  }
  return valueAtPath(value, path) ?? valueAtPath(asRecord(value)?.data, path)
}

function valueAtPath(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) {
      return undefined
    }
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

function firstMatch(pattern: string, flags: string, from: Quotable): string | undefined {
  const regex = new RegExp(pattern, flags)
  for (const text of requestTexts(from)) {
    const match = regex.exec(text)
    if (match !== null) return match[1] ?? match[0]
  }
  return undefined
}

function requestTexts(from: Quotable): string[] {
  const texts = from.messages.flatMap(({ parts }) =>
    parts.map((part) => {
      if (part.type === 'tool_result') return part.content
      if (part.type === 'image') return ''
      return part.type === 'tool_call' ? JSON.stringify(part.input) : part.text
    }),
  )
  return [from.system ?? '', ...texts]
}
