// Gemini CLI: a JSON file, or JSONL whose messages are rewritten: the last line with an id counts. The
// folder names the project by a hash or a slug.
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import type { LogSession, TranscriptBuilder } from './builder.ts'
import type { Loose } from './log-values.ts'
import {
  contentText,
  countAt,
  listAt,
  objectAt,
  parsedObject,
  textAt,
  timeAt,
} from './log-values.ts'

export function readGemini(
  builder: TranscriptBuilder,
  lines: readonly Loose[],
  fallbackId: string,
  file: string,
): LogSession {
  const records = lines.flatMap((line) =>
    Array.isArray(line.messages) ? [line, ...line.messages.map(objectAt)] : [line],
  )
  const id = records.map(({ sessionId }) => textAt(sessionId)).find((each) => each !== undefined)
  const messages = new Map<string, Loose>()
  let unread = 0
  for (const [index, record] of records.entries()) {
    if (record.type === 'user' || record.type === 'gemini') {
      messages.set(textAt(record.id) ?? `#${index}`, record)
    } else if (textAt(record.type) !== undefined) {
      builder.unmapped(`message ${textAt(record.type)}`)
    } else if (textAt(record.sessionId) === undefined && !Array.isArray(record.messages)) {
      unread += Object.keys(record).some((key) => key.startsWith('$')) ? 0 : 1
    }
  }
  for (const [key, message] of messages) addMessage(builder, key, message)
  return { id: id ?? fallbackId, cwd: projectOf(file), unread }
}

const knownParts = new Set([
  'text',
  'functionCall',
  'functionResponse',
  'thought',
  'thoughtSignature',
])

function addMessage(builder: TranscriptBuilder, key: string, message: Loose): void {
  const ts = timeAt(message.timestamp)
  const content = message.content ?? message.message
  const text = contentText(content)
  for (const part of listAt(content).map(objectAt)) {
    const kind = Object.keys(part).find((name) => !knownParts.has(name))
    if (kind !== undefined && part.text === undefined) builder.unmapped(`content ${kind}`)
  }
  if (message.type === 'user') {
    if (!isToolResult(message)) builder.user(text, ts)
    return
  }
  for (const thought of listAt(message.thoughts).map(objectAt)) {
    const parts = [thought.subject, thought.description].flatMap((part) => textAt(part) ?? [])
    builder.thinking(key, parts.join('\n'), ts)
  }
  builder.text(key, text, ts)
  const calls = listAt(message.toolCalls).map(objectAt)
  for (const call of calls) {
    const [id, name] = [textAt(call.id), textAt(call.name)]
    if (id !== undefined && name !== undefined) {
      builder.call(key, { id, name, input: objectAt(call.args) }, ts)
    }
  }
  addReceipt(builder, key, message, ts)
  for (const call of calls) {
    const callId = textAt(call.id)
    if (callId !== undefined && call.result !== undefined) {
      builder.result({ callId, ...resultOf(call) }, timeAt(call.timestamp) || ts)
    }
  }
}

/** Results of tools are user messages as well; the message of the call repeats them. */
function isToolResult({ content }: Loose): boolean {
  const parts = listAt(content).map(objectAt)
  return parts.length > 0 && parts.every((part) => part.functionResponse !== undefined)
}

function resultOf(call: Loose) {
  const response = objectAt(objectAt(objectAt(listAt(call.result)[0]).functionResponse).response)
  const text = textAt(response.output) ?? textAt(response.error) ?? contentText(call.resultDisplay)
  const code = /^Exit Code: (-?\d+)$/m.exec(text)?.[1]
  const exitCode = code === undefined ? undefined : Number(code)
  return { text, isError: call.status === 'error' || response.error !== undefined, exitCode }
}

function addReceipt(builder: TranscriptBuilder, key: string, message: Loose, ts: string): void {
  const model = textAt(message.model)
  const tokens = objectAt(message.tokens)
  if (model === undefined || Object.keys(tokens).length === 0) return
  const usage = {
    inputTokens: countAt(tokens.input),
    outputTokens: countAt(tokens.output) + countAt(tokens.thoughts),
    cachedInputTokens: countAt(tokens.cached),
    thinkingTokens: countAt(tokens.thoughts),
  }
  builder.receipt(key, { provider: 'gemini', model, usage }, ts)
}

/** The path that the program stored beside the log: <folder>/.project_root, or projects.json. */
function projectOf(file: string): string | undefined {
  const folder = path.dirname(path.dirname(path.resolve(file)))
  const root = readText(path.join(folder, '.project_root'))?.trim()
  if (root !== undefined && path.isAbsolute(root)) return root
  const projects = readText(path.join(folder, '../../projects.json'))
  const slugs = Object.entries(objectAt(parsedObject(projects).projects))
  return slugs.find(([, slug]) => slug === path.basename(folder))?.[0]
}

function readText(file: string): string | undefined {
  try {
    return readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8')
  } catch {
    return undefined
  }
}
