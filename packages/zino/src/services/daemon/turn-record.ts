// The record of one turn on disk: the message is written before the first model call and flushed before the
// first text leaves, the answer before its last frame. The file exists until the turn is stored in mem, its answer
// was delivered and its receipt is written.
import { existsSync, rmSync } from 'node:fs'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'
import { isObject } from '@zee/core/json'
import type { PreparedFile } from '@zee/core/prepared-file'
import type { ChatMessage } from '../../fields/fields.ts'
import type { Allow } from '../../allow/allow.ts'
import { removeTurnParts, turnFileOf } from '../../turns/turns.ts'

export interface TurnBegin {
  turn: string
  /** Empty for a turn without a channel. */
  channel: string
  message: string
  /** Earlier messages that the client sent along. */
  history?: readonly ChatMessage[] | undefined
  /** RFC 3339. */
  ts: string
  /** The capabilities of its job and its channel. */
  allow?: readonly Allow[] | undefined
  /** Tool calls wait for the approval of the user. */
  approve?: 'ask' | undefined
}

export interface TurnAnswer {
  text: string
  /** The whole exchange, calls and results included, for the history. */
  transcript: string
  /** RFC 3339. */
  ts: string
  iterations?: number | undefined
  truncated?: boolean | undefined
  /** The tokens of the answer; with the model if agr had no part in it. */
  inference?: Inference | undefined
}

export interface Inference {
  model: string | undefined
  provider: string | undefined
  input: number
  output: number
  estimated: boolean
}

/** What the file says about a turn. */
export interface TurnRecords {
  begin: TurnBegin
  answer: TurnAnswer | undefined
  /** The model or a service failed for good. */
  failure: string | undefined
  /** RFC 3339; the time of the failure. */
  failedAt: string | undefined
  isCancelled: boolean
  /** Its client has left: the turn continues only when a client asks for it. */
  isLeft: boolean
  isStored: boolean
  /** Only the receipt was missing. */
  isDelivered: boolean
}

type TurnEvent =
  | ({ kind: 'begin' } & TurnBegin)
  | ({ kind: 'answer' } & TurnAnswer)
  | { kind: 'failed'; reason: string; ts?: string; cancelled?: true | undefined }
  | { kind: 'left' }
  | { kind: 'resumed' }
  | { kind: 'stored' }
  | { kind: 'delivered' }

/** Writes the file of a turn. */
export class TurnRecord {
  flushed: Promise<void> = Promise.resolve()
  readonly #folder: string
  readonly #turn: string
  readonly #journal: Journal
  /** The file itself while its records fit into the prepared part. */
  #prepared: PreparedFile | undefined

  constructor(folder: string, turn: string, prepared?: PreparedFile) {
    this.#folder = folder
    this.#turn = turn
    this.#journal = openJournal(turnFileOf(folder, turn), { durability: 'durable' })
    this.#prepared = prepared
  }

  /** Writes the message. `flushed` resolves when it is on the disk: the flush runs while the model is called. */
  begin(begin: TurnBegin): void {
    const event: TurnEvent = { kind: 'begin', ...begin }
    const prepared = this.#prepared
    if (prepared?.writeUnflushed(JSON.stringify(event)) === true) this.flushed = prepared.flush()
    else this.#journal.append(event)
  }

  add(event: TurnEvent): void {
    if (this.#prepared?.write(JSON.stringify(event)) !== true) this.#journal.append(event)
  }

  close(): void {
    this.#journal.close()
    this.#prepared?.close()
  }

  /**
   * Closes the record and removes those of agr and exc. Removes the file too, unless it can be blanked: then
   * the caller gets it.
   */
  remove(): PreparedFile | undefined {
    this.#journal.close()
    removeTurnParts(this.#folder, this.#turn)
    const prepared = this.#prepared
    this.#prepared = undefined
    if (prepared?.isReusable === true) return prepared
    prepared?.close()
    rmSync(turnFileOf(this.#folder, this.#turn), { force: true })
    return undefined
  }
}

const nothingYet = {
  answer: undefined,
  failure: undefined,
  failedAt: undefined,
  isCancelled: false,
  isLeft: false,
  isStored: false,
  isDelivered: false,
}

/** Undefined when the file is missing or holds no begin. */
export function readTurnFile(file: string): TurnRecords | undefined {
  if (!existsSync(file)) return undefined
  let records: TurnRecords | undefined
  readJournalSync(file, ({ record }) => {
    if (!isObject(record)) return
    const event = record as unknown as TurnEvent
    if (event.kind === 'begin') {
      const { kind: _, ...begin } = event
      records ??= { begin, ...nothingYet }
    }
    if (records === undefined) return
    if (event.kind === 'answer') records.answer = event
    else if (event.kind === 'failed') {
      records.failure = event.reason
      records.failedAt = event.ts
      records.isCancelled = event.cancelled === true
    } else if (event.kind === 'left') records.isLeft = true
    else if (event.kind === 'resumed') records.isLeft = false
    else if (event.kind === 'stored') records.isStored = true
    else if (event.kind === 'delivered')
      Object.assign(records, { isStored: true, isDelivered: true })
  })
  return records
}
