// pi: one JSONL file per session. The entries are a tree; the conversation is the branch to the last one.
import type { LogSession, TranscriptBuilder } from './builder.ts'
import type { Loose } from './log-values.ts'
import { contentText, countAt, listAt, objectAt, otherParts, textAt, timeAt } from './log-values.ts'

export function readPi(
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  fallbackId: string,
): LogSession {
  const header = lines.find(({ type }) => type === 'session') ?? {}
  const branch = activeBranch(lines)
  countOthers(builder, lines, branch)
  for (const entry of branch) {
    const message = objectAt(entry.message)
    const ts = timeAt(entry.timestamp ?? message.timestamp)
    if (message.role === 'user') builder.user(contentText(message.content), ts)
    else if (message.role === 'assistant') addAnswer(builder, message, textAt(entry.id) ?? ts, ts)
    else if (message.role === 'toolResult') addResult(builder, message, ts)
    else builder.unmapped(`message ${textAt(message.role) ?? 'without role'}`)
    for (const type of otherParts(message.content, ['text', 'thinking', 'toolCall'])) {
      builder.unmapped(`content ${type}`)
    }
  }
  return {
    id: textAt(header.id) ?? fallbackId,
    cwd: textAt(header.cwd),
    unread: lines.filter(({ type }) => textAt(type) === undefined).length,
  }
}

/** Counts entries that are no messages, and messages of other branches. */
function countOthers(
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  branch: readonly Loose[],
): void {
  const told = new Set(branch)
  for (const line of lines) {
    const type = textAt(line.type)
    if (type === undefined || type === 'session' || told.has(line)) continue
    builder.unmapped(type === 'message' ? 'message of another branch' : `record ${type}`)
  }
}

/** Old sessions have no ids; all of their entries count. */
function activeBranch(lines: readonly Loose[]): Loose[] {
  const entries = lines.filter(({ type }) => type !== 'session')
  const last = entries.at(-1)
  if (last === undefined || textAt(last.id) === undefined) {
    return entries.filter(({ type }) => type === 'message')
  }
  const byId = new Map(entries.map((entry) => [textAt(entry.id), entry]))
  const branch: Loose[] = []
  const seen = new Set<Loose>()
  for (let entry: Loose | undefined = last; entry !== undefined && !seen.has(entry);) {
    seen.add(entry)
    branch.push(entry)
    const parent = textAt(entry.parentId)
    entry = parent === undefined ? undefined : byId.get(parent)
  }
  return branch.reverse().filter(({ type }) => type === 'message')
}

function addAnswer(builder: TranscriptBuilder, message: Loose, key: string, ts: string): void {
  for (const part of listAt(message.content).map(objectAt)) {
    const [id, name] = [textAt(part.id), textAt(part.name)]
    if (part.type === 'text') builder.text(key, textAt(part.text) ?? '', ts)
    else if (part.type === 'thinking') builder.thinking(key, textAt(part.thinking) ?? '', ts)
    else if (part.type === 'toolCall' && id !== undefined && name !== undefined) {
      builder.call(key, { id, name, input: objectAt(part.arguments) }, ts)
    }
  }
  const model = textAt(message.model)
  const usage = objectAt(message.usage)
  if (message.stopReason === 'aborted') builder.interrupted(ts)
  if (model === undefined || Object.keys(usage).length === 0) return
  const [cached, written] = [countAt(usage.cacheRead), countAt(usage.cacheWrite)]
  const total = objectAt(usage.cost).total
  builder.receipt(
    key,
    {
      provider: textAt(message.provider) ?? 'unknown',
      model,
      usage: {
        inputTokens: countAt(usage.input) + cached + written,
        outputTokens: countAt(usage.output),
        cachedInputTokens: cached,
        cacheWriteTokens: written,
      },
      costUsd: typeof total === 'number' && total > 0 ? total : undefined,
    },
    ts,
  )
}

function addResult(builder: TranscriptBuilder, message: Loose, ts: string): void {
  const callId = textAt(message.toolCallId)
  if (callId === undefined) return
  const text = contentText(message.content)
  const code = /Command exited with code (\d+)\s*$/.exec(text)?.[1]
  const exitCode = code === undefined ? undefined : Number(code)
  builder.result({ callId, text, isError: message.isError === true, exitCode }, ts)
}
