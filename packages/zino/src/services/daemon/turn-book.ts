// All turns that daemon knows: begins them, finds them again, and takes up those that a crash left.
import { rmSync, statSync } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import type { ServiceContext } from '../../service/service.ts'
import { newTurnId, recordedTurns, removeTurn, turnFileOf, turnsFolder } from '../../turns/turns.ts'
import { SpareRecords } from './spare-records.ts'
import { maxUnstored, StoreQueue } from './store-queue.ts'
import type { TurnBegin } from './turn-record.ts'
import { readTurnFile, TurnRecord } from './turn-record.ts'
import { compareEnds, Turn } from './turn.ts'

/** Answers that no client has fetched are kept this long. */
const keepMs = 24 * 3_600_000
/** Delivered turns that stay in memory, so that a client which missed the end finds it. */
const maxRecent = 100
/** Turns whose client left more than an hour ago. A lost service interrupts many at once, whose clients come back. */
const maxLeft = 100
const comeBackMs = 3_600_000

export interface TurnReport {
  turn: string
  channel: string | null
  state: string
  since: string
  stored: boolean
}

export interface NewTurn extends Omit<TurnBegin, 'turn' | 'ts'> {
  id: string | undefined
}

export class TurnBook {
  readonly store: StoreQueue
  readonly #context: ServiceContext
  readonly #folder: string
  readonly #spares: SpareRecords
  readonly #turns = new Map<string, Turn>()

  constructor(context: ServiceContext) {
    this.#context = context
    this.#folder = turnsFolder(context.config)
    this.#spares = new SpareRecords(this.#folder)
    this.store = new StoreQueue({
      socket: context.config.mem.socket,
      log: context.log,
      onStored: (turn) => this.#onStored(turn),
    })
  }

  find(id: string): Turn | undefined {
    return this.#turns.get(id)
  }

  /** A new turn, not yet recorded. */
  begin({ id, ...said }: NewTurn): Turn {
    if (this.store.turns.length >= maxUnstored) {
      const text = `${maxUnstored} turns wait to be stored: mem does not answer`
      throw new ZeeError('unstored', text)
    }
    const now = this.#context.clock.now()
    const turn = new Turn({ turn: id ?? newTurnId(now), ...said, ts: rfc3339(now) })
    this.#turns.set(turn.id, turn)
    return turn
  }

  /** Records the message; an error of the disk leaves the turn unrecorded, with a warning. */
  record(turn: Turn): void {
    const warn = (error: unknown): void =>
      this.#context.log.warn(`turn ${turn.id} is not recorded: ${reasonOf(error)}`)
    try {
      turn.record = this.#spares.begin(turn.begin) ?? this.#create(turn.begin)
      turn.flushed = turn.record.flushed.catch(warn)
    } catch (error) {
      warn(error)
    }
  }

  /** Loads the turns of an earlier process; returns those whose work goes on by itself. */
  recover(): Turn[] {
    const { clock, log } = this.#context
    const unfinished: Turn[] = []
    this.#spares.recover()
    for (const id of recordedTurns(this.#folder)) {
      try {
        const file = turnFileOf(this.#folder, id)
        const { mtime } = statSync(file)
        const age = clock.now().getTime() - mtime.getTime()
        const records = readTurnFile(file)
        const isDone = records === undefined || records.isStored || records.begin.channel === ''
        if (records === undefined || (isDone && age > keepMs)) {
          removeTurn(this.#folder, id)
          rmSync(file, { force: true })
          continue
        }
        const { begin, answer, failure, failedAt, isCancelled, isLeft } = records
        const { isStored, isDelivered } = records
        const turn = this.#load(begin)
        Object.assign(turn, { answer, failure, isStored, isDelivered, wasInterrupted: true })
        if (answer !== undefined) turn.state = 'answered'
        else if (failure !== undefined) {
          turn.state = 'failed'
          turn.failedAt = failedAt ?? rfc3339(mtime)
          if (isCancelled) turn.cancel()
        } else if (!isLeft) unfinished.push(turn)
      } catch (error) {
        log.error(`turn ${id} cannot be read: ${reasonOf(error)}`)
      }
    }
    return unfinished
  }

  /** Does in advance what the next turn needs. */
  prepare(): Promise<void> {
    return this.#spares.prepare()
  }

  /** Turns that are not finished, or finished and not stored. */
  reports(): TurnReport[] {
    const open = [...this.#turns.values()].filter(
      (turn) => turn.state === 'running' || turn.state === 'interrupted' || !isDone(turn),
    )
    return open.map((turn) => ({
      turn: turn.id,
      channel: turn.begin.channel || null,
      state: isEnded(turn) ? 'unstored' : turn.state,
      since: turn.begin.ts,
      stored: turn.isStored,
    }))
  }

  /** Turns that have ended, answered or failed. */
  ended(): Turn[] {
    return [...this.#turns.values()].filter((turn) => isEnded(turn))
  }

  /** Turns of this book that mem does not have yet, in the order of their ends. */
  unstored(): Turn[] {
    return [...this.#turns.values()]
      .filter((turn) => !turn.isStored && turn.begin.channel !== '')
      .sort(compareEnds)
  }

  /** Interrupted turns that have waited too long for their client, and the oldest of too many. */
  abandoned(): Turn[] {
    const nowMs = this.#context.clock.now().getTime()
    const ageOf = ({ begin }: Turn) => nowMs - Date.parse(begin.ts)
    const left = [...this.#turns.values()]
      .filter((turn) => turn.state === 'interrupted' && !turn.isWorking)
      .filter((turn) => ageOf(turn) > comeBackMs)
      .sort(compareEnds)
    return left.filter((turn, index) => index < left.length - maxLeft || ageOf(turn) > keepMs)
  }

  /** Delivered turns whose receipt could not be written. */
  unreceipted(): Turn[] {
    return this.ended().filter((turn) => turn.isDelivered && !turn.isReceipted && isDone(turn))
  }

  /** Forgets what is no longer needed of a finished turn. */
  settle(turn: Turn): void {
    if (!isEnded(turn) || !isDone(turn)) return
    if (turn.isDelivered && turn.isReceipted) this.#remove(turn)
    else if (turn.isDelivered) this.#tryRecord(turn, 'delivered')
    else if (turn.isStored) this.#tryRecord(turn, 'stored')
    this.#prune()
  }

  async close(): Promise<void> {
    this.store.close()
    for (const turn of this.#turns.values()) turn.record?.close()
    await this.#spares.close()
  }

  #create(begin: TurnBegin): TurnRecord {
    ensureDurableFolder(this.#folder, 0o700)
    const record = new TurnRecord(this.#folder, begin.turn)
    record.begin(begin)
    return record
  }

  #tryRecord({ id, record }: Turn, kind: 'delivered' | 'stored'): void {
    try {
      record?.add({ kind })
    } catch (error) {
      this.#context.log.warn(`turn ${id} is not recorded as ${kind}: ${reasonOf(error)}`)
    }
  }

  #remove({ record }: Turn): void {
    const file = record?.remove()
    if (file !== undefined) void this.#spares.takeBack(file)
  }

  #load(begin: TurnBegin): Turn {
    const turn = new Turn(begin, new TurnRecord(this.#folder, begin.turn))
    this.#turns.set(begin.turn, turn)
    return turn
  }

  #onStored(turn: Turn): void {
    // The message alone is stored first when the answer is still missing.
    if (!isEnded(turn)) return
    turn.isStored = true
    if (turn.isDelivered) this.settle(turn)
  }

  #prune(): void {
    const settled = [...this.#turns.values()].filter(
      (turn) => turn.isDelivered && isEnded(turn) && isDone(turn),
    )
    for (const turn of settled.slice(0, -maxRecent)) this.#turns.delete(turn.id)
  }
}

function isEnded({ state }: Turn): boolean {
  return state === 'answered' || state === 'failed'
}

function isDone({ isStored, begin }: Turn): boolean {
  return isStored || begin.channel === ''
}
