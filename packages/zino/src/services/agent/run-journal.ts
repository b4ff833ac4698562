// What a run has done, on disk, so that a restarted agr continues it: each call with the text before it,
// written before the call is executed, and each result, written before the loop goes on.
import { existsSync } from 'node:fs'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { BlockTag } from './stream-parser.ts'

export interface RecordedCall {
  iteration: number
  /** The model's text between the previous call of the iteration and this one. */
  lead: string
  tag: BlockTag
  content: string
  /** The code that runs for a task; recorded before it runs. */
  code?: { executor: string; text: string } | undefined
  result?: string | undefined
}

export interface RecordedEnd {
  lastText: string
  transcript: string
  iterations: number
  truncated: boolean
}

/** In memory for a run without a turn. */
export class RunJournal {
  readonly calls: RecordedCall[] = []
  /** Text after the last call of each finished iteration that had calls. */
  readonly tails = new Map<number, string>()
  end: RecordedEnd | undefined
  readonly #journal: Journal | undefined

  constructor(file: string | undefined) {
    if (file === undefined) return
    if (existsSync(file)) readJournalSync(file, ({ record }) => this.#apply(record))
    this.#journal = openJournal(file, { durability: 'durable' })
  }

  /** Returns the number of the call. */
  addCall(call: RecordedCall): number {
    this.#add({ kind: 'call', call })
    return this.calls.length - 1
  }

  addCode(number: number, executor: string, text: string): void {
    this.#add({ kind: 'code', number, executor, text })
  }

  addResult(number: number, result: string): void {
    this.#add({ kind: 'result', number, result })
  }

  endIteration(iteration: number, tail: string): void {
    this.#add({ kind: 'iteration', iteration, tail })
  }

  endRun(end: RecordedEnd): void {
    this.#add({ kind: 'end', end })
  }

  close(): void {
    this.#journal?.close()
  }

  #add(record: RunRecord): void {
    this.#journal?.append(record)
    this.#apply(record)
  }

  #apply(value: object): void {
    const record = value as RunRecord
    if (record.kind === 'call') this.calls.push(record.call)
    else if (record.kind === 'code') {
      const { executor, text } = record
      Object.assign(this.calls[record.number] ?? {}, { code: { executor, text } })
    } else if (record.kind === 'result') {
      Object.assign(this.calls[record.number] ?? {}, { result: record.result })
    } else if (record.kind === 'iteration') this.tails.set(record.iteration, record.tail)
    else if (record.kind === 'end') this.end = record.end
  }
}

type RunRecord =
  | { kind: 'call'; call: RecordedCall }
  | { kind: 'code'; number: number; executor: string; text: string }
  | { kind: 'result'; number: number; result: string }
  | { kind: 'iteration'; iteration: number; tail: string }
  | { kind: 'end'; end: RecordedEnd }
