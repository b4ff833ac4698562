// Rebuilds messages that every provider accepts from the records of a session. Adds a cancelled result
// to calls without one, drops results without calls and empty messages, joins consecutive messages of
// one role, and starts with a user message.
import type { Message, Part, ToolCallPart } from '@zee/llm'
import { failure, toolResultPart } from '../envelope/envelope.ts'
import { joinNeighbours } from './join-messages.ts'
import type { SessionRecord, ToolResultRecord, ToolUseRecord } from './records.ts'

export function rebuildMessages(records: readonly SessionRecord[]): Message[] {
  const rounds = new RoundBuilder(resultsById(records))
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
  readonly #messages: Message[] = []
  readonly #ids = new Set<string>()
  #assistant: Part[] = []
  #answers: Part[] = []
  /** A result followed the last call, so the next call starts a new round. */
  #isAnswered = false

  constructor(results: Map<string, ToolResultRecord[]>) {
    this.#results = results
  }

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'message':
        this.#addMessage(record.role, record.text)
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
      case 'meta':
      case 'interrupted':
        break
    }
  }

  finish(): Message[] {
    this.#endTurn()
    return this.#messages
  }

  #addMessage(role: 'user' | 'assistant', text: string): void {
    if (role === 'user' || this.#hasCalls() || this.#assistant.at(-1)?.type === 'text') {
      this.#endTurn()
    }
    if (text.trim() === '') return
    const part: Part = { type: 'text', text }
    if (role === 'assistant') this.#assistant.push(part)
    else this.#messages.push({ role, parts: [part] })
  }

  #addCall(record: ToolUseRecord): void {
    const id = this.#uniqueId(record.id)
    const call: ToolCallPart = { type: 'tool_call', id, name: record.name, input: record.input }
    this.#assistant.push(call)
    const result = this.#results.get(record.id)?.shift()
    const envelope = result?.output ?? failure('cancelled', 'The tool did not finish')
    this.#answers.push(toolResultPart(id, envelope))
  }

  #uniqueId(id: string): string {
    const safe = id.replace(/[^A-Za-z0-9_-]/g, '_') || 'call'
    let unique = safe
    for (let count = 2; this.#ids.has(unique); count++) unique = `${safe}-${count}`
    this.#ids.add(unique)
    return unique
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

function startWithPrompt(messages: readonly Message[]): Message[] {
  const isPrompt = (message: Message) =>
    message.role === 'user' && message.parts.every((part) => part.type === 'text')
  const first = messages.findIndex(isPrompt)
  return first === -1 ? [] : messages.slice(first)
}

/** The message to the model after the user has undone its changes. */
export function undoNote(files: readonly string[]): string {
  return `(The user undid your changes to: ${files.join(', ')}.)`
}
