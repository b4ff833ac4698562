// Turns the lines of a session into messages that every provider accepts, whatever happened to the
// file: calls without results get a cancelled one, results without calls are dropped, nothing empty
// is sent, neighbours of one role are joined, and the first message is the user's.
import type { Message, Part, ToolCallPart } from '@zee/llm'
import { failure, toolResultPart } from '../envelope/envelope.ts'
import { joinNeighbours } from './join-messages.ts'
import type { SessionRecord, ToolResultRecord, ToolUseRecord } from './records.ts'

export function rebuildMessages(records: readonly SessionRecord[]): Message[] {
  const rounds = new RoundBuilder(resultsById(records))
  for (const record of records) rounds.add(record)
  return joinNeighbours(startWithPrompt(rounds.finish()))
}

/** Results in the order of the file; a repeated id takes them one after another. */
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

/** Collects lines into assistant turns, each followed at once by the results of its calls. */
class RoundBuilder {
  readonly #results: Map<string, ToolResultRecord[]>
  readonly #messages: Message[] = []
  readonly #ids = new Set<string>()
  #assistant: Part[] = []
  #answers: Part[] = []
  /** A result was seen since the last call: the next call begins a new round. */
  #answered = false

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
        if (this.#answered) this.#endTurn()
        this.#addCall(record)
        break
      case 'tool_result':
        this.#answered = this.#hasCalls()
        break
      case 'undo':
        // The model must not go on believing in changes that are gone.
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
    const said = this.#assistant.some((part) => part.type !== 'thinking')
    if (said) this.#messages.push({ role: 'assistant', parts: this.#assistant })
    if (this.#hasCalls()) this.#messages.push({ role: 'user', parts: this.#answers })
    this.#assistant = []
    this.#answers = []
    this.#answered = false
  }
}

function startWithPrompt(messages: readonly Message[]): Message[] {
  const isPrompt = (message: Message) =>
    message.role === 'user' && message.parts.every((part) => part.type === 'text')
  const first = messages.findIndex(isPrompt)
  return first === -1 ? [] : messages.slice(first)
}

/** What the model is told when the user took its changes back. */
export function undoNote(files: readonly string[]): string {
  return `(The user undid your changes to: ${files.join(', ')}.)`
}
