// Claude Code: one JSONL file per session. An answer spans several lines with the id of its message, and
// each repeats the usage so far. `input_tokens` excludes what the cache read or wrote.
import type { LogSession, TranscriptBuilder } from './builder.ts'
import type { Loose } from './log-values.ts'
import { contentText, countAt, listAt, objectAt, otherParts, textAt, timeAt } from './log-values.ts'

export function readClaude(
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  fallbackId: string,
): LogSession {
  let id: string | undefined
  let cwd: string | undefined
  let unread = 0
  for (const line of lines) {
    if (line.type !== 'user' && line.type !== 'assistant') {
      const type = textAt(line.type)
      if (type === undefined) unread += 1
      else builder.unmapped(`record ${type}`)
      continue
    }
    // The lines of a subagent and notes of the program are not part of the conversation.
    if (line.isSidechain === true || line.isMeta === true) {
      builder.unmapped(line.isMeta === true ? 'note of the program' : 'record of a subagent')
      continue
    }
    id ??= textAt(line.sessionId)
    cwd ??= textAt(line.cwd)
    const message = objectAt(line.message)
    const ts = timeAt(line.timestamp)
    if (line.type === 'user') addUser(builder, line, message, ts)
    else addAnswer(builder, line, message, ts)
  }
  return { id: id ?? fallbackId, cwd, unread }
}

function addUser(builder: TranscriptBuilder, line: Loose, message: Loose, ts: string): void {
  const parts = listAt(message.content).map(objectAt)
  countOthers(builder, parts, ['text', 'tool_result'])
  for (const part of parts) {
    const callId = textAt(part.tool_use_id)
    countOthers(builder, part.content, ['text'])
    if (part.type === 'tool_result' && callId !== undefined) {
      builder.result({ callId, ...resultOf(part, objectAt(line.toolUseResult)) }, ts)
    }
  }
  const text = contentText(
    typeof message.content === 'string'
      ? message.content
      : parts.filter(({ type }) => type === 'text'),
  )
  const isResult = parts.some(({ type }) => type === 'tool_result')
  if (text.startsWith('[Request interrupted by user')) builder.interrupted(ts)
  else if (text !== '' || !isResult) builder.user(text, ts)
}

function countOthers(builder: TranscriptBuilder, content: unknown, known: readonly string[]): void {
  for (const type of otherParts(content, known)) builder.unmapped(`content ${type}`)
}

function resultOf(part: Loose, details: Loose) {
  const text = contentText(part.content)
  const isError = part.is_error === true
  const code = /^(?:Error: )?Exit code (\d+)/.exec(text)?.[1]
  const exitCode = code === undefined ? undefined : Number(code)
  if (typeof details.stdout !== 'string') return { text, isError, exitCode }
  return { text: details.stdout, stderr: textAt(details.stderr) ?? '', isError, exitCode }
}

function addAnswer(builder: TranscriptBuilder, line: Loose, message: Loose, ts: string): void {
  countOthers(builder, message.content, ['text', 'thinking', 'tool_use'])
  const key = textAt(message.id) ?? textAt(line.requestId) ?? textAt(line.uuid) ?? ts
  for (const part of listAt(message.content).map(objectAt)) {
    const [id, name] = [textAt(part.id), textAt(part.name)]
    if (part.type === 'text') builder.text(key, textAt(part.text) ?? '', ts)
    else if (part.type === 'thinking') builder.thinking(key, textAt(part.thinking) ?? '', ts)
    else if (part.type === 'tool_use' && id !== undefined && name !== undefined) {
      builder.call(key, { id, name, input: objectAt(part.input) }, ts)
    }
  }
  const model = textAt(message.model)
  const usage = objectAt(message.usage)
  if (model === undefined || model === '<synthetic>' || Object.keys(usage).length === 0) return
  const cached = countAt(usage.cache_read_input_tokens)
  const written = countAt(usage.cache_creation_input_tokens)
  const tokens = {
    inputTokens: countAt(usage.input_tokens) + cached + written,
    outputTokens: countAt(usage.output_tokens),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
  }
  builder.receipt(key, { provider: 'anthropic', model, usage: tokens }, ts)
}
