// OpenCode: messages and parts as JSON, in files below `storage` or, in later versions, in SQLite.
import type { LogSession, TranscriptBuilder } from './builder.ts'
import type { Loose } from './log-values.ts'
import { contentText, countAt, objectAt, textAt, timeAt } from './log-values.ts'

/** A session with its messages and parts, each in order. */
export interface OpencodeSession {
  session: Loose
  messages: readonly { message: Loose; parts: readonly Loose[] }[]
  unread: number
}

export function readOpencode(
  builder: TranscriptBuilder,
  { session, messages, unread }: OpencodeSession,
): LogSession {
  let cwd = textAt(session.directory)
  for (const { message, parts } of messages) {
    const ts = timeAt(objectAt(message.time).created)
    cwd ??= textAt(objectAt(message.path).cwd)
    for (const part of parts) countPart(builder, part)
    if (message.role === 'user') builder.user(contentText(parts.filter(isSpokenText)), ts)
    else addAnswer(builder, message, parts, ts)
  }
  return { id: textAt(session.id) ?? 'unknown', cwd, unread }
}

/** Parts that a conversation has, or that repeat what its message states. */
const mappedParts = new Set(['text', 'reasoning', 'tool', 'step-start', 'step-finish'])

function countPart(builder: TranscriptBuilder, part: Loose): void {
  const type = textAt(part.type) ?? 'without type'
  if (!mappedParts.has(type)) builder.unmapped(`part ${type}`)
  else if (type === 'text' && !isSpokenText(part)) builder.unmapped('part synthetic text')
}

/** Synthetic texts are attachments that the program adds. */
function isSpokenText({ type, synthetic }: Loose): boolean {
  return type === 'text' && synthetic !== true
}

function addAnswer(
  builder: TranscriptBuilder,
  message: Loose,
  parts: readonly Loose[],
  ts: string,
): void {
  const key = textAt(message.id) ?? ts
  const calls = parts.filter(({ type }) => type === 'tool')
  for (const part of parts) {
    const state = objectAt(part.state)
    const id = textAt(part.callID) ?? textAt(part.id)
    const name = textAt(part.tool)
    if (isSpokenText(part)) builder.text(key, textAt(part.text) ?? '', ts)
    else if (part.type === 'reasoning') builder.thinking(key, textAt(part.text) ?? '', ts)
    else if (part.type === 'tool' && id !== undefined && name !== undefined) {
      const started = timeAt(objectAt(state.time).start) || ts
      builder.call(key, { id, name, input: objectAt(state.input) }, started)
    }
  }
  addReceipt(builder, key, message, ts)
  for (const part of calls) {
    const state = objectAt(part.state)
    const callId = textAt(part.callID) ?? textAt(part.id)
    if (callId === undefined || (state.status !== 'completed' && state.status !== 'error')) continue
    const isError = state.status === 'error'
    const text = textAt(isError ? state.error : state.output) ?? ''
    const exit = objectAt(state.metadata).exit
    const exitCode = typeof exit === 'number' ? exit : undefined
    builder.result({ callId, text, isError, exitCode }, timeAt(objectAt(state.time).end) || ts)
  }
}

function addReceipt(builder: TranscriptBuilder, key: string, message: Loose, ts: string): void {
  const [model, provider] = [textAt(message.modelID), textAt(message.providerID)]
  const tokens = objectAt(message.tokens)
  if (model === undefined || Object.keys(tokens).length === 0) return
  const cache = objectAt(tokens.cache)
  const [cached, written] = [countAt(cache.read), countAt(cache.write)]
  const usage = {
    inputTokens: countAt(tokens.input) + cached + written,
    outputTokens: countAt(tokens.output) + countAt(tokens.reasoning),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    thinkingTokens: countAt(tokens.reasoning),
  }
  const costUsd = typeof message.cost === 'number' && message.cost > 0 ? message.cost : undefined
  builder.receipt(key, { provider: provider ?? 'unknown', model, usage, costUsd }, ts)
}
