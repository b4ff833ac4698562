// The records of a run: what agr appends while it answers a turn. agr continues an interrupted run from
// them, daemon makes the receipt of the turn from them, and `zino replay` plays them again.
import { existsSync } from 'node:fs'
import { readJournalSync } from '@zee/core/journal'

export type BlockTag = 'tool_call' | 'task'

/** What exc reports about an execution besides its output. */
export interface ExecutionFacts {
  executor: string
  code: string
  exit_code: number
  /** The answer of the user to a call that waited for approval. */
  permission?: { decision: string; by: string; ts: string } | undefined
}

/** One answer of a sub-agent, with the results of its calls. */
export interface RecordedStep {
  text: string
  results: string[]
  /** By result; undefined for a call that no script was run for. */
  executions?: (ExecutionFacts | undefined)[] | undefined
}

export interface RecordedCall {
  iteration: number
  /** The model's text between the previous call of the iteration and this one. */
  lead: string
  tag: BlockTag
  content: string
  /** What the sub-agent of a task has done: its answers and the results of their calls. */
  steps?: RecordedStep[] | undefined
  /** The code that runs for a task; recorded before it runs. */
  code?: { executor: string; text: string } | undefined
  result?: string | undefined
  /** Absent for a call that no script was run for. */
  execution?: ExecutionFacts | undefined
}

/** One answer of the model, with the hash of what it was asked. */
export interface RecordedInference {
  purpose: 'answer' | 'interpreter' | 'fabricator' | 'sub_agent'
  /** The iteration that an answer belongs to. */
  iteration?: number | undefined
  /** The number of the task that a skill was asked for. */
  call?: number | undefined
  /** Hash of the messages that the loop added to the prompt, or of the whole request of a skill. */
  added: string
  text: string
  tokens: { input: number; output: number; estimated?: boolean | undefined }
  model?: string | undefined
  provider?: string | undefined
  truncated?: boolean | undefined
}

export interface RecordedEnd {
  lastText: string
  transcript: string
  iterations: number
  truncated: boolean
  /** The limit that ended the run before the model had finished. */
  limit?: string | undefined
}

/** Role and hash of each message of the prompt. */
export type RecordedPrompt = readonly { role: string; sha256: string }[]

interface Inferences {
  /** Answers of the model since the previous record. */
  inferences?: readonly RecordedInference[] | undefined
  /** In the first record of a process. */
  prompt?: RecordedPrompt | undefined
}

export type RunRecord = Inferences &
  (
    | { kind: 'call'; call: RecordedCall }
    | { kind: 'code'; number: number; executor: string; text: string }
    | { kind: 'step'; number: number; text: string }
    | {
        kind: 'step_result'
        number: number
        result: string
        execution?: ExecutionFacts | undefined
      }
    | { kind: 'result'; number: number; result: string; execution?: ExecutionFacts | undefined }
    | { kind: 'iteration'; iteration: number; tail: string }
    | { kind: 'end'; end: RecordedEnd }
    | { kind: 'failed' }
  )

/** Everything that the records of one run say. */
export class RunRecords {
  readonly calls: RecordedCall[] = []
  readonly inferences: RecordedInference[] = []
  /** Text after the last call of each finished iteration that had calls. */
  readonly tails = new Map<number, string>()
  prompt: RecordedPrompt | undefined
  end: RecordedEnd | undefined

  get usage(): RecordedInference['tokens'] {
    const all = this.inferences.map(({ tokens }) => tokens)
    return {
      input: all.reduce((sum, { input }) => sum + input, 0),
      output: all.reduce((sum, { output }) => sum + output, 0),
      estimated: all.some(({ estimated }) => estimated === true) ? true : undefined,
    }
  }

  get tokens(): number {
    const { input, output } = this.usage
    return input + output
  }

  apply(record: RunRecord): void {
    if (record.prompt !== undefined) this.prompt ??= record.prompt
    this.inferences.push(...(record.inferences ?? []))
    if (record.kind === 'call') this.calls.push({ ...record.call })
    else if (record.kind === 'code') {
      const { executor, text } = record
      Object.assign(this.calls[record.number] ?? {}, { code: { executor, text } })
    } else if (record.kind === 'step') {
      const call = this.calls[record.number]
      if (call !== undefined) {
        const step = { text: record.text, results: [], executions: [] }
        ;(call.steps ??= []).push(step)
      }
    } else if (record.kind === 'step_result') {
      const step = this.calls[record.number]?.steps?.at(-1)
      step?.results.push(record.result)
      step?.executions?.push(record.execution)
    } else if (record.kind === 'result') {
      const { result, execution } = record
      Object.assign(this.calls[record.number] ?? {}, { result, execution })
    } else if (record.kind === 'iteration') this.tails.set(record.iteration, record.tail)
    else if (record.kind === 'end') this.end = record.end
  }
}

/** Undefined when the file is missing. */
export function readRunRecords(file: string): RunRecords | undefined {
  if (!existsSync(file)) return undefined
  const records = new RunRecords()
  readJournalSync(file, ({ record }) => records.apply(record as unknown as RunRecord))
  return records
}
