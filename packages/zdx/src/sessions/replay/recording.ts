// A recorded session as turns: prompts, the rounds of the model, and the results of its calls.
import type { Envelope, SessionRecord } from '@zee/agent'
import { readSession } from '@zee/agent'

export interface RecordedCall {
  event: number
  id: string
  name: string
  input: Readonly<Record<string, unknown>>
  /** Undefined if the session ended before the call did. */
  result?: Envelope
  resultEvent?: number
}

export interface Round {
  text: string
  calls: RecordedCall[]
}

export type RecordedStep =
  | { kind: 'turn'; event: number; prompt: string; rounds: Round[] }
  /** An undo or a redo by the user. */
  | { kind: 'transaction'; event: number }

export interface Recording {
  /** The project and the working folder of the session; undefined if it has none. */
  root: string | undefined
  cwd: string | undefined
  steps: RecordedStep[]
}

export async function readRecording(folder: string, id: string): Promise<Recording> {
  const reader = new RecordingReader()
  for await (const { event, record } of readSession(folder, id)) reader.add(event, record)
  return reader.recording
}

class RecordingReader {
  readonly recording: Recording = { root: undefined, cwd: undefined, steps: [] }
  /** A result followed the last call, so that the next call begins a round. */
  #isAnswered = true

  add(event: number, record: SessionRecord): void {
    const { recording } = this
    switch (record.type) {
      case 'meta':
        recording.root = record.root
        recording.cwd = record.cwd ?? record.root
        break
      case 'message':
        if (record.role === 'assistant') this.#addText(record.text)
        else if (record.steered !== true) {
          recording.steps.push({ kind: 'turn', event, prompt: record.text, rounds: [] })
          this.#isAnswered = true
        }
        break
      case 'tool_use': {
        const { id, name, input } = record
        this.#round(this.#isAnswered)?.calls.push({ event, id, name, input })
        this.#isAnswered = false
        break
      }
      case 'tool_result':
        this.#addResult(event, record.tool_use_id, record.output)
        break
      case 'undo':
      case 'redo':
        recording.steps.push({ kind: 'transaction', event })
        break
      default:
    }
  }

  #turn() {
    return this.recording.steps.findLast((step) => step.kind === 'turn')
  }

  /** The last round, or a new one. */
  #round(isNew: boolean): Round | undefined {
    const turn = this.#turn()
    const last = turn?.rounds.at(-1)
    if (last !== undefined && !isNew) return last
    const round: Round = { text: '', calls: [] }
    turn?.rounds.push(round)
    return round
  }

  /** A text begins a round; the calls after it belong to the same round. */
  #addText(text: string): void {
    const round = this.#round(true)
    if (round !== undefined) round.text = text
    this.#isAnswered = false
  }

  #addResult(event: number, callId: string, output: Envelope): void {
    const calls = this.#turn()?.rounds.flatMap((round) => round.calls) ?? []
    const call = calls.find(({ id, result }) => id === callId && result === undefined)
    if (call === undefined) return
    call.result = output
    call.resultEvent = event
    this.#isAnswered = true
  }
}
