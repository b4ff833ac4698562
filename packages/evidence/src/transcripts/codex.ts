// Codex: one JSONL file per thread, with response items and events. The usage of an answer follows it in
// a `token_count` event, which may be repeated.
import type { LogSession, TranscriptBuilder } from './builder.ts'
import type { Loose } from './log-values.ts'
import {
  contentText,
  countAt,
  listAt,
  objectAt,
  otherParts,
  parsedObject,
  textAt,
  timeAt,
} from './log-values.ts'

/** Context that Codex sends as a user message. */
const programText =
  /^\s*(<(environment_context|user_instructions|permissions|turn_aborted|collaboration_mode|skill|INSTRUCTIONS)\b|# AGENTS\.md instructions)/i

const textParts = ['input_text', 'output_text', 'text']

export function readCodex(
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  fallbackId: string,
): LogSession {
  const reader = new CodexReader(builder)
  for (const line of lines) reader.add(line)
  return reader.session(fallbackId)
}

class CodexReader {
  readonly #builder: TranscriptBuilder
  #id: string | undefined
  #cwd: string | undefined
  #provider = 'openai'
  #model = 'unknown'
  #answer = 0
  #lastTotal = ''
  #unread = 0
  /** Failed calls of MCP tools: their outputs do not say so. */
  readonly #failedCalls = new Set<string>()

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder
  }

  session(fallbackId: string): LogSession {
    return { id: this.#id ?? fallbackId, cwd: this.#cwd, unread: this.#unread }
  }

  add(line: Loose): void {
    const payload = objectAt(line.payload)
    const ts = timeAt(line.timestamp)
    switch (line.type) {
      case 'session_meta':
        this.#id ??= textAt(payload.id)
        this.#cwd ??= textAt(payload.cwd)
        this.#provider = textAt(payload.model_provider) ?? this.#provider
        break
      case 'turn_context':
        this.#model = textAt(payload.model) ?? this.#model
        this.#cwd ??= textAt(payload.cwd)
        break
      case 'response_item':
        this.#addItem(payload, ts)
        break
      case 'event_msg':
        this.#addEvent(payload, ts)
        break
      default: {
        const type = textAt(line.type)
        if (type === undefined) this.#unread += 1
        else this.#builder.unmapped(`record ${type}`)
      }
    }
  }

  #addItem(item: Loose, ts: string): void {
    const key = String(this.#answer)
    const callId = textAt(item.call_id) ?? textAt(item.id)
    switch (item.type) {
      case 'message': {
        const text = contentText(item.content)
        for (const type of otherParts(item.content, textParts)) {
          this.#builder.unmapped(`content ${type}`)
        }
        if (item.role === 'assistant') this.#builder.text(key, text, ts)
        else if (item.role !== 'user')
          this.#builder.unmapped(`message ${textAt(item.role) ?? 'without role'}`)
        else if (programText.test(text)) this.#builder.unmapped('message of the program')
        else this.#builder.user(text, ts)
        break
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
        if (callId !== undefined) this.#builder.call(key, callOf(item, callId), ts)
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        if (callId !== undefined) this.#addResult(callId, item.output, ts)
        break
      case 'reasoning':
        this.#builder.thinking(key, contentText(item.summary) || contentText(item.content), ts)
        break
      case 'ghost_snapshot':
      case 'web_search_call':
      case 'compaction':
        this.#builder.unmapped(`item ${item.type}`)
        break
      default:
        this.#unread += 1
    }
  }

  #addResult(callId: string, output: unknown, ts: string): void {
    const result = resultOf(output)
    const isError = result.isError || this.#failedCalls.has(callId)
    this.#builder.result({ callId, ...result, isError }, ts)
  }

  #addEvent(event: Loose, ts: string): void {
    if (event.type === 'turn_aborted') this.#builder.interrupted(ts)
    const failed = failedCallOf(event)
    if (failed !== undefined) this.#failedCalls.add(failed)
    if (event.type !== 'token_count') return
    const info = objectAt(event.info)
    const last = objectAt(info.last_token_usage)
    const total = JSON.stringify(info.total_token_usage ?? null)
    if (Object.keys(last).length === 0 || total === this.#lastTotal) return
    this.#lastTotal = total
    const usage = {
      inputTokens: countAt(last.input_tokens),
      outputTokens: countAt(last.output_tokens),
      cachedInputTokens: countAt(last.cached_input_tokens),
      cacheWriteTokens: countAt(last.cache_write_input_tokens),
      thinkingTokens: countAt(last.reasoning_output_tokens),
    }
    const receipt = { provider: this.#provider, model: this.#model, usage }
    this.#builder.receipt(String(this.#answer), receipt, ts)
    this.#answer += 1
  }
}

/** The id of a call that this event, which precedes the output of the call, tells as failed. */
function failedCallOf(event: Loose): string | undefined {
  const item = objectAt(event.item)
  if (event.type === 'item_completed') return item.status === 'failed' ? textAt(item.id) : undefined
  if (event.type !== 'mcp_tool_call_end') return undefined
  const result = objectAt(event.result)
  const isError = result.Err !== undefined || objectAt(result.Ok).isError === true
  return isError ? textAt(event.call_id) : undefined
}

function callOf(item: Loose, id: string) {
  if (item.type === 'local_shell_call') {
    return { id, name: 'local_shell', input: { command: objectAt(item.action).command } }
  }
  const name = textAt(item.name) ?? 'tool'
  if (item.type === 'custom_tool_call') return { id, name, input: { input: item.input } }
  return { id, name, input: parsedObject(item.arguments) }
}

/** The output is a text, or JSON with the output and the exit code of a command. */
function resultOf(output: unknown) {
  const details = parsedObject(output)
  const code = objectAt(details.metadata).exit_code
  if (typeof details.output === 'string') {
    const exitCode = typeof code === 'number' ? code : undefined
    return { text: details.output, isError: exitCode !== undefined && exitCode !== 0, exitCode }
  }
  const text = typeof output === 'string' ? output : contentText(output ?? listAt(undefined))
  const exit = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(text)?.[1]
  const exitCode = exit === undefined ? undefined : Number(exit)
  return { text, isError: exitCode !== undefined && exitCode !== 0, exitCode }
}
