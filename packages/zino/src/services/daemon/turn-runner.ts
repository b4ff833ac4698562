// Runs turns: assembles the prompt, gets the answer, records it, stores the turn in mem.
import { setImmediate as nextTick } from 'node:timers/promises'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { askService, interruptedCode, lostCode, unreachableCode } from '../../client/client.ts'
import { Orphans } from './orphans.ts'
import { assemblePrompt } from './prompt.ts'
import { writeMissingReceipt, writeReceipt } from './receipt.ts'
import type { DaemonContext } from './relay.ts'
import { relayAnswer } from './relay.ts'
import type { NewTurn, TurnBook } from './turn-book.ts'
import type { TurnAnswer } from './turn-record.ts'
import type { Turn, TurnWork } from './turn.ts'
import { cancelledCode, leftCode } from './turn.ts'

export interface TurnRequest extends NewTurn {
  stream: boolean
  events: boolean
}

const cancelDeadlineMs = 3000

/** The turn stops here, and a client may resume it. */
const interruptions: ReadonlySet<string> = new Set([
  ...[interruptedCode, lostCode, unreachableCode, leftCode],
])

export class TurnRunner {
  readonly #context: DaemonContext
  readonly #book: TurnBook
  readonly #orphans: Orphans

  constructor(context: DaemonContext, book: TurnBook) {
    this.#context = context
    this.#book = book
    this.#orphans = new Orphans({
      context,
      onDelivered: (turn) => {
        turn.isDelivered = true
        book.settle(turn)
      },
    })
  }

  close(): void {
    this.#orphans.close()
  }

  begin(request: TurnRequest): { turn: Turn; begun: Promise<TurnAnswer> } {
    const { log } = this.#context
    const { channel, message } = request
    const { stream: _, events: __, ...begin } = request
    const turn = this.#book.begin(begin)
    const begun = turn.run(this.#workFor(request))
    // Logged after the requests are sent, so that logging does not delay them.
    setImmediate(() => {
      log.info(`message of ${message.length} characters${channel === '' ? '' : ' with channel'}`)
      log.debug(`message in channel ${JSON.stringify(channel)}: ${message}`)
    })
    return { turn, begun }
  }

  /** The answer of a finished turn, or the work of an unfinished one. */
  async resume(turn: Turn, request: Pick<TurnRequest, 'stream' | 'events'>): Promise<TurnAnswer> {
    // The record of a delivered turn is removed, so a crash afterwards must not find it without a receipt.
    // The work of an unfinished turn starts at once: that discards the text that its follower must not get.
    if (turn.receipted !== undefined) await turn.receipted
    // The work of an answered turn goes on until it has written the receipt.
    if (turn.isWorking) return turn.run(this.#workFor(request))
    if (turn.answer !== undefined) return turn.answer
    if (turn.failure !== undefined) throw new ZeeError('answer_failed', turn.failure)
    if (turn.state === 'interrupted') turn.record?.add({ kind: 'resumed' })
    return turn.run(this.#workFor(request))
  }

  /** Ends a turn for good, with the scripts it runs. */
  async cancel(turn: Turn): Promise<void> {
    if (turn.state === 'running') turn.stop(cancelledCode, 'cancelled')
    else if (turn.state === 'interrupted') {
      await this.#onFailure(turn, new ZeeError(cancelledCode, 'cancelled'))
      await writeReceipt(this.#context, turn)
      this.#book.settle(turn)
    }
  }

  /** Ends a turn whose message is forgotten; resolves when nothing of it is written any more. */
  async forget(turn: Turn): Promise<void> {
    await this.cancel(turn)
    await turn.ended
    if (!turn.isStored && turn.begin.channel !== '') await this.#book.store.store(turn)
    // mem removes the entry of the inbox afterwards.
    await this.#orphans.settled(turn)
    turn.isDelivered = true
    this.#book.settle(turn)
  }

  /** Continues the turns that a crash interrupted, and stores what is not stored yet. */
  recover(): void {
    const { log } = this.#context
    const unfinished = this.#book.recover()
    void this.#book.prepare()
    for (const turn of this.#book.ended()) {
      if (turn.wasCancelled) void this.#finishCancel(turn)
      else if (turn.isDelivered) void this.#settleReceipted(turn)
      else {
        void this.#writeMissingReceipt(turn)
        this.#orphans.watch(turn)
      }
    }
    for (const turn of this.#book.unstored()) void this.#book.store.store(turn)
    for (const turn of unfinished) {
      log.info(`continuing turn ${turn.id}`)
      turn
        .run(this.#workFor({ stream: true, events: false }))
        .catch((error: unknown) => {
          log.warn(`turn ${turn.id} is not finished: ${reasonOf(error)}`)
        })
        .finally(() => {
          if (turn.state !== 'interrupted') this.#orphans.watch(turn)
        })
    }
    void this.#endAbandoned()
  }

  /** Fails turns that no client resumes; their messages stay in the history. */
  async #endAbandoned(): Promise<void> {
    for (const turn of this.#book.abandoned()) {
      // A client may resume it meanwhile.
      if (turn.state !== 'interrupted' || turn.isWorking) continue
      this.#context.log.warn(`turn ${turn.id} has failed: no client came back for its answer`)
      await this.#onFailure(turn, new ZeeError('answer_failed', 'no client came back'))
      await this.#cancelScripts(turn)
      turn.isDelivered = true
      await writeReceipt(this.#context, turn)
      if (!turn.isStored && turn.begin.channel !== '') await this.#book.store.store(turn)
      this.#book.settle(turn)
    }
  }

  #workFor({ stream, events }: Pick<TurnRequest, 'stream' | 'events'>): TurnWork {
    return async (turn, signal) => {
      const context = this.#context
      const assembled = assemblePrompt(context, turn.begin, signal)
      try {
        if (turn.record === undefined) await this.#record(turn, assembled)
        const relayed = await relayAnswer(context, assembled, { turn, stream, events, signal })
        const answer = { ...relayed, ts: rfc3339(context.clock.now()) }
        this.#onAnswer(turn, answer)
        return answer
      } catch (error) {
        await this.#onFailure(turn, error)
        throw error
      } finally {
        for (const spare of Object.values(context.spares)) spare.open()
        const isStored = turn.begin.channel === '' || turn.isDelivered
        // mem works while the receipt is written.
        const stored = isStored ? undefined : this.#book.store.store(turn)
        if (turn.state !== 'interrupted') await writeReceipt(context, turn)
        if (turn.isReceipted) this.#writeDelayedReceipts()
        await stored
        // It may have no client whose last frame would settle it.
        if (turn.wasCancelled) this.#book.settle(turn)
        if (turn.state === 'interrupted') void this.#endAbandoned()
        void this.#book.prepare()
      }
    }
  }

  /** The requests for the prompt leave first: they run while the disk writes. */
  async #record(turn: Turn, assembled: Promise<unknown>): Promise<void> {
    assembled.catch(() => {})
    await nextTick()
    this.#book.record(turn)
  }

  #onAnswer(turn: Turn, answer: TurnAnswer): void {
    this.#tryRecord(turn, () => turn.record?.add({ kind: 'answer', ...answer }))
    turn.answer = answer
    turn.state = 'answered'
  }

  async #onFailure(turn: Turn, error: unknown): Promise<void> {
    const code = error instanceof ZeeError ? error.code : ''
    if (interruptions.has(code)) {
      turn.state = 'interrupted'
      turn.wasInterrupted = true
      // After a restart daemon continues the turn by itself, as after a crash.
      if (this.#context.isRestarting?.() === true) return
      this.#tryRecord(turn, () => turn.record?.add({ kind: 'left' }))
      return
    }
    turn.state = 'failed'
    const reason = reasonOf(error)
    const ts = rfc3339(this.#context.clock.now())
    turn.failure = reason
    turn.failedAt = ts
    const cancelled = code === cancelledCode ? true : undefined
    this.#tryRecord(turn, () => turn.record?.add({ kind: 'failed', reason, ts, cancelled }))
    if (cancelled === undefined) return
    turn.cancel()
    await this.#cancelScripts(turn)
  }

  /** The receipts that an error of the disk has delayed, once one can be written again. */
  #writeDelayedReceipts(): void {
    for (const turn of this.#book.unreceipted()) void this.#settleReceipted(turn)
  }

  async #settleReceipted(turn: Turn): Promise<void> {
    await this.#writeMissingReceipt(turn)
    this.#book.settle(turn)
  }

  /** One attempt after the other, so that a turn never has two receipts. */
  #writeMissingReceipt(turn: Turn): Promise<void> {
    const earlier = turn.receipted ?? Promise.resolve()
    turn.receipted = earlier.then(() => writeMissingReceipt(this.#context, turn))
    return turn.receipted
  }

  /** For a crash between the record of the cancel and its end. */
  async #finishCancel(turn: Turn): Promise<void> {
    await this.#cancelScripts(turn)
    await this.#settleReceipted(turn)
  }

  /** Before the records of the turn are removed: exc finds its scripts by them. */
  async #cancelScripts(turn: Turn): Promise<void> {
    const { config, log } = this.#context
    const request = { type: 'cancel', turn: turn.id }
    try {
      await askService(config.exc.socket, request, { deadlineMs: cancelDeadlineMs })
    } catch (error) {
      log.warn(`scripts of turn ${turn.id} may still run: ${reasonOf(error)}`)
    }
  }

  /** A full disk does not keep an answer from its client. */
  #tryRecord(turn: Turn, record: () => void): void {
    try {
      record()
    } catch (error) {
      this.#context.log.warn(`turn ${turn.id} is not recorded: ${reasonOf(error)}`)
    }
  }
}
