// What a run has done, on disk, so that a restarted agr continues it: each call with the text before it,
// written before the call is executed, and each result, written before the loop goes on. Answers of the
// model are written with the next record, so that they cost no write of their own.
import type { Journal } from '@zee/core/journal'
import { openJournal } from '@zee/core/journal'
import type {
  ExecutionFacts,
  RecordedCall,
  RecordedEnd,
  RecordedInference,
  RecordedPrompt,
  RunRecord,
} from '../../turns/turns.ts'
import { readRunRecords, RunRecords } from '../../turns/turns.ts'

/** In memory for a run without a turn. */
export class RunJournal {
  readonly #journal: Journal | undefined
  #records = new RunRecords()
  #pending: RecordedInference[] = []
  #prompt: (() => RecordedPrompt) | undefined

  /** `prompt` is what this process asks the model. It is called late: the model must not wait for hashes. */
  constructor(file: string | undefined, prompt?: () => RecordedPrompt) {
    if (file === undefined) return
    this.#records = readRunRecords(file) ?? this.#records
    this.#journal = openJournal(file, { durability: 'durable' })
    this.#prompt = prompt
  }

  /** Whether a later process can continue the run. */
  get isKept(): boolean {
    return this.#journal !== undefined
  }

  get calls(): readonly RecordedCall[] {
    return this.#records.calls
  }

  get tails(): ReadonlyMap<number, string> {
    return this.#records.tails
  }

  get end(): RecordedEnd | undefined {
    return this.#records.end
  }

  /** Tokens of all model calls of the turn, those before a restart included. */
  get tokens(): number {
    return this.#records.tokens
  }

  /** The same as counts of a whole turn. */
  get usage(): RecordedInference['tokens'] {
    return this.#records.usage
  }

  addInference(inference: RecordedInference): void {
    this.#pending.push(inference)
    this.#records.inferences.push(inference)
  }

  /** Returns the number of the call. */
  addCall(call: RecordedCall): number {
    this.#add({ kind: 'call', call })
    return this.calls.length - 1
  }

  addCode(number: number, executor: string, text: string): void {
    this.#add({ kind: 'code', number, executor, text })
  }

  /** An answer of a sub-agent. */
  addStep(number: number, text: string): void {
    this.#add({ kind: 'step', number, text })
  }

  /** The result of the next call in the last answer of a sub-agent. */
  addStepResult(number: number, result: string, execution: ExecutionFacts | undefined): void {
    this.#add({ kind: 'step_result', number, result, execution })
  }

  addResult(number: number, result: string, execution: ExecutionFacts | undefined): void {
    this.#add({ kind: 'result', number, result, execution })
  }

  endIteration(iteration: number, tail: string): void {
    this.#add({ kind: 'iteration', iteration, tail })
  }

  endRun(end: RecordedEnd): void {
    this.#add({ kind: 'end', end })
  }

  /** Writes what a failed run has not written yet. */
  fail(): void {
    if (this.#pending.length > 0 || this.calls.length === 0) this.#add({ kind: 'failed' })
  }

  close(): void {
    this.#journal?.close()
  }

  #add(record: RunRecord): void {
    const inferences = this.#pending.length === 0 ? undefined : this.#pending
    this.#journal?.append({ ...record, prompt: this.#prompt?.(), inferences })
    this.#prompt = undefined
    this.#pending = []
    this.#records.apply(record)
  }
}
