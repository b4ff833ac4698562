// Request rules of Chat Completions, Responses and Gemini.
import type { JsonObject, ModelRequest } from './fake-models.ts'

/** Chat Completions: one tool message per call follows immediately, and no other message. */
export function brokenChatRule({ body, headers }: ModelRequest): string | undefined {
  if (headers['content-type'] !== 'application/json') return 'content-type: not JSON'
  if (typeof body.model !== 'string') return 'model: missing'
  const messages = listOf(body.messages)
  if (messages.length === 0) return 'messages: empty'
  let open: string[] = []
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`
    if (message.role === 'tool') {
      if (!open.includes(String(message.tool_call_id)))
        return `${where}: no call with that tool_call_id`
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) return `${where}: tool_calls without a tool message: ${open.join()}`
    if (message.role === 'assistant') open = listOf(message.tool_calls).map(({ id }) => String(id))
    else if (typeof message.content !== 'string' || message.content === '') return `${where}: empty`
    if (message.role === 'assistant' && open.length === 0 && !message.content)
      return `${where}: empty`
    if (open.some((id) => id.length > 40)) return `${where}: tool_calls.id is too long`
  }
  if (open.length > 0) return `tool_calls without a tool message: ${open.join()}`
  const tools = listOf(body.tools)
  return tools.some((tool) => tool.type !== 'function') ? 'tools: not functions' : undefined
}

/** Responses: every call has a later output with the same call_id. */
export function brokenResponsesRule({ body }: ModelRequest): string | undefined {
  const calls = new Set<string>()
  for (const [index, item] of listOf(body.input).entries()) {
    if (item.type === 'function_call') calls.add(String(item.call_id))
    if (item.type === 'function_call_output' && !calls.delete(String(item.call_id))) {
      return `input.${index}: no call with that call_id`
    }
  }
  return calls.size > 0 ? `No tool output found for function call ${[...calls].join()}` : undefined
}

const refusedKeys = ['default', '$schema', 'additionalProperties']

/** Gemini: roles alternate, results follow their calls, schemas have no unsupported keys. */
export function brokenGeminiRule({ body, headers, path }: ModelRequest): string | undefined {
  if (!headers['x-goog-api-key']) return 'API key not valid'
  if (!path.endsWith('?alt=sse')) return 'alt=sse is missing'
  const contents = listOf(body.contents)
  if (contents[0]?.role !== 'user') return 'contents: must begin with user'
  for (const [index, content] of contents.entries()) {
    if (contents[index - 1]?.role === content.role) return `contents.${index}: roles must alternate`
    const parts = listOf(content.parts)
    if (parts.length === 0) return `contents.${index}: no parts`
    const calls = parts.filter((part) => part.functionCall !== undefined).length
    const answers = listOf(contents[index + 1]?.parts).filter(
      (part) => part.functionResponse !== undefined,
    ).length
    if (content.role === 'model' && calls !== answers) {
      return `contents.${index}: ${calls} function calls but ${answers} responses`
    }
  }
  const schema = JSON.stringify(body.tools ?? [])
  const key = refusedKeys.find((name) => schema.includes(`"${name}"`))
  return key === undefined ? undefined : `Unknown name "${key}"`
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}
