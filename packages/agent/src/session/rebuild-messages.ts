// Rebuilds messages that every provider accepts from the records of a session. Adds a cancelled result
// to calls without one, drops results without calls and empty messages, joins consecutive messages of
// one role, and starts with a user message.
import type { ImagePart, Message, Part, ToolCallPart } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, toolResultPart } from '../envelope/envelope.ts'
import { takeCallId } from './call-ids.ts'
import { joinNeighbours } from './join-messages.ts'
import type { SessionRecord, StoredImage, ToolResultRecord, ToolUseRecord } from './records.ts'

/** The line that replaces each elided result. */
export type ElidedLines = ReadonlyMap<SessionRecord, string>

export function rebuildMessages(
  records: readonly SessionRecord[],
  elided: ElidedLines = new Map(),
): Message[] {
  const rounds = new RoundBuilder(resultsById(records), elided)
  for (const record of records) rounds.add(record)
  return joinNeighbours(startWithPrompt(rounds.finish()))
}

/** Results by call id, in file order; calls with the same id consume them in order. */
function resultsById(records: readonly SessionRecord[]): Map<string, ToolResultRecord[]> {
  const results = new Map<string, ToolResultRecord[]>()
  for (const record of records) {
    if (record.type !== 'tool_result') continue
    const same = results.get(record.tool_use_id)
    if (same === undefined) results.set(record.tool_use_id, [record])
    else same.push(record)
  }
  return results
}

/** Groups records into assistant messages, each followed by the results of its calls. */
class RoundBuilder {
  readonly #results: Map<string, ToolResultRecord[]>
  readonly #elided: ElidedLines
  readonly #messages: Message[] = []
  readonly #ids = new Set<string>()
  #assistant: Part[] = []
  #answers: Part[] = []
  /** A result followed the last call, so the next call starts a new round. */
  #isAnswered = false

  constructor(results: Map<string, ToolResultRecord[]>, elided: ElidedLines) {
    this.#results = results
    this.#elided = elided
  }

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'message':
        this.#addMessage(record.role, record.text, record.images)
        break
      case 'thinking': {
        if (this.#hasCalls()) this.#endTurn()
        const { ts: _ts, ...part } = record
        this.#assistant.push(part)
        break
      }
      case 'tool_use':
        if (this.#isAnswered) this.#endTurn()
        this.#addCall(record)
        break
      case 'tool_result':
        this.#isAnswered = this.#hasCalls()
        break
      case 'undo':
        // Without the note, the model would rely on changes that no longer exist.
        this.#addMessage('user', undoNote(record.files))
        break
      case 'redo':
        this.#addMessage('user', redoNote(record.files))
        break
      case 'meta':
      case 'interrupted':
      case 'receipt':
      case 'elided':
        break
    }
  }

  finish(): Message[] {
    this.#endTurn()
    return this.#messages
  }

  #addMessage(role: 'user' | 'assistant', text: string, images: readonly StoredImage[] = []): void {
    if (role === 'user' || this.#hasCalls() || this.#assistant.at(-1)?.type === 'text') {
      this.#endTurn()
    }
    const parts: Part[] = text.trim() === '' ? [] : [{ type: 'text', text }]
    parts.push(...images.map(imagePart))
    if (parts.length === 0) return
    if (role === 'assistant') this.#assistant.push(...parts)
    else this.#messages.push({ role, parts })
  }

  #addCall(record: ToolUseRecord): void {
    const id = takeCallId(record.id, this.#ids)
    const call: ToolCallPart = { type: 'tool_call', id, name: record.name, input: record.input }
    this.#assistant.push(call)
    const result = this.#results.get(record.id)?.shift()
    const part = toolResultPart(id, resultWithImages(result))
    const line = result === undefined ? undefined : this.#elided.get(result)
    this.#answers.push(line === undefined ? part : { ...part, content: line, images: undefined })
  }

  #hasCalls(): boolean {
    return this.#answers.length > 0
  }

  #endTurn(): void {
    const hasContent = this.#assistant.some((part) => part.type !== 'thinking')
    if (hasContent) this.#messages.push({ role: 'assistant', parts: this.#assistant })
    if (this.#hasCalls()) this.#messages.push({ role: 'user', parts: this.#answers })
    this.#assistant = []
    this.#answers = []
    this.#isAnswered = false
  }
}

function resultWithImages(record: ToolResultRecord | undefined): Envelope {
  if (record === undefined) return failure('cancelled', 'The tool did not finish')
  const { output, images } = record
  if (!output.ok || images === undefined) return output
  return { ...output, images: images.map(imagePart) }
}

function imagePart({ media_type: mediaType, data }: StoredImage): ImagePart {
  return { type: 'image', mediaType, data }
}

function startWithPrompt(messages: readonly Message[]): Message[] {
  const isPrompt = (message: Message) =>
    message.role === 'user' && message.parts.every((part) => part.type !== 'tool_result')
  const first = messages.findIndex(isPrompt)
  return first === -1 ? [] : messages.slice(first)
}

/** The message to the model after the user has undone its changes. */
export function undoNote(files: readonly string[]): string {
  return `(The user undid your changes to: ${files.join(', ')}.)`
}

/** The message to the model after the user has taken an undo back. */
export function redoNote(files: readonly string[]): string {
  return `(The user restored your changes to: ${files.join(', ')}.)`
}
