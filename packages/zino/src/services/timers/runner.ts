// Runs due jobs, a few at a time: records the start, delivers the text or asks for the answer, puts the
// result into the inbox, records the end. A run that a crash interrupted is finished under the same id.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { randomHex } from '@zee/core/ids'
import type { Logger } from '@zee/core/log'
import { nextInstant } from './calendar/calendar.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Job, Jobs, Run } from './jobs/jobs.ts'
import { forgottenReason } from './jobs/jobs.ts'
import type { TurnCall, TurnResult } from './turn-call.ts'

export interface RunnerOptions {
  jobs: Jobs
  inbox: Inbox
  clock: Clock
  log: Logger
  /** Number of runs at the same time. */
  parallel: number
  /** Fires when the service stops; open runs continue at the next start. */
  signal: AbortSignal
  runTurn(call: TurnCall, signal: AbortSignal): Promise<TurnResult>
}

interface OpenRun {
  /** Fires when the message of the turn is forgotten. */
  forgetting: AbortController
  ended: Promise<void>
}

interface WaitingRun {
  turn: string
  enter(): void
}

const maxPauseMs = 60_000

export class Runner {
  readonly #options: RunnerOptions
  readonly #open = new Map<string, OpenRun>()
  #waiting: WaitingRun[] = []
  #running = 0

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Runs a due job. Resolves when its end is recorded, or when the service stops. */
  async runDue(job: Job, due: number, isLate: boolean): Promise<void> {
    const began = this.#now()
    const run = { turn: dueTurn(job, due), due, began, isLate, isManual: false }
    await this.#untilStopped(async () => {
      await this.#persist(`the start of timer ${job.id}`, () =>
        this.#options.jobs.begin(job.id, run),
      )
      await this.#finish(job, run, false)
    })
  }

  /** Records a run on request; `finished` resolves at its end. */
  async runNow(job: Job): Promise<{ run: Run; finished: Promise<void> }> {
    const began = this.#now()
    const turn = `tmr-${job.id}-run-${compactTime(began)}-${randomHex(2)}`
    const run = { turn, due: began, began, isLate: false, isManual: true }
    await this.#options.jobs.begin(job.id, run)
    return { run, finished: this.#untilStopped(() => this.#finish(job, run, false)) }
  }

  /** Finishes the runs of an earlier process; calls `onEnded` for each. */
  async recover(onEnded: (job: Job) => void): Promise<void> {
    const open = [...this.#options.jobs.all()].flatMap((job) =>
      job.runs.map(async (run) => {
        await this.#untilStopped(() => this.#finish(job, run, true))
        onEnded(job)
      }),
    )
    await Promise.all(open)
  }

  /** Ends the runs of these turns without a result, also those that no process works on. */
  async forget(turns: ReadonlySet<string>): Promise<void> {
    const { jobs } = this.#options
    const open = [...turns].flatMap((turn) => this.#open.get(turn) ?? [])
    for (const { forgetting } of open) forgetting.abort(new Error(forgottenReason))
    this.#admit(this.#waiting.filter(({ turn }) => turns.has(turn)))
    await Promise.all(open.map(({ ended }) => ended))
    for (const job of jobs.all()) {
      for (const run of job.runs) {
        if (turns.has(run.turn)) await this.#end(job, run, forgottenReason)
      }
    }
  }

  async #finish(job: Job, run: Run, isRepeated: boolean): Promise<void> {
    const forgetting = new AbortController()
    const ended = this.#work(job, run, isRepeated, forgetting.signal)
    this.#open.set(run.turn, { forgetting, ended })
    try {
      await ended
    } finally {
      this.#open.delete(run.turn)
    }
  }

  async #work(job: Job, run: Run, isRepeated: boolean, forgotten: AbortSignal): Promise<void> {
    const error = this.#options.inbox.has(run.turn)
      ? undefined
      : await this.#inSlot(run.turn, () => this.#deliver(job, run, isRepeated, forgotten))
    await this.#end(job, run, error)
  }

  async #end(job: Job, run: Run, error: string | undefined): Promise<void> {
    const { jobs } = this.#options
    const ended = this.#now()
    const next = this.#nextOf(job, run)
    await this.#persist(`the end of timer ${job.id}`, () =>
      jobs.end(job.id, run, { ended, next, error }),
    )
  }

  /** Resolves to the reason when the turn failed. */
  async #deliver(
    job: Job,
    run: Run,
    isRepeated: boolean,
    forgotten: AbortSignal,
  ): Promise<string | undefined> {
    const { inbox, log } = this.#options
    const { channel, allow } = job
    log.info(`timer ${job.id} runs${run.isLate ? ', late' : ''} (${run.turn})`)
    const isReminder = job.kind === 'remind'
    const message = isReminder ? `Reminder: ${job.text}` : job.text
    const result: TurnResult =
      channel === ''
        ? { text: '', isTruncated: false }
        : await this.#runTurn({ turn: run.turn, channel, message, allow, isRepeated }, forgotten)
    const answer = result.error === undefined ? result.text : `failed: ${result.error}`
    const text = isReminder ? [job.text, answer].filter((part) => part !== '').join('\n\n') : answer
    const entry = {
      ...{ job: job.id, kind: job.kind, when: job.when, zone: job.zone, turn: run.turn },
      ...{ channel, due: run.due, isLate: run.isLate, text, error: result.error },
      prompt: isReminder ? undefined : job.text,
      isTruncated: result.error === undefined && result.isTruncated,
    }
    await this.#persist(`the result of timer ${job.id}`, async () => {
      if (!forgotten.aborted) await inbox.add(entry)
    })
    if (result.error !== undefined) log.error(`timer ${job.id} failed: ${result.error}`)
    return result.error
  }

  async #runTurn(call: TurnCall, forgotten: AbortSignal): Promise<TurnResult> {
    const { signal, runTurn } = this.#options
    try {
      return await runTurn(call, AbortSignal.any([signal, forgotten]))
    } catch (error) {
      if (forgotten.aborted && !signal.aborted) return { error: forgottenReason }
      throw error
    }
  }

  /** Occurrences up to the start of this run are done with it: a missed job runs once. */
  #nextOf({ rule, zone }: Job, { due, began, isManual }: Run): number | undefined {
    if (rule === undefined || isManual) return undefined
    return nextInstant(rule, Math.max(due, began), zone)
  }

  async #inSlot<Result>(turn: string, work: () => Promise<Result>): Promise<Result> {
    const { parallel } = this.#options
    if (this.#running < parallel) this.#running += 1
    else await new Promise<void>((enter) => this.#waiting.push({ turn, enter }))
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running < parallel) this.#admit(this.#waiting.slice(0, 1))
    }
  }

  #admit(runs: readonly WaitingRun[]): void {
    this.#waiting = this.#waiting.filter((each) => !runs.includes(each))
    this.#running += runs.length
    for (const { enter } of runs) enter()
  }

  /** Repeats a write until the disk takes it: without a record of its start no job runs. */
  async #persist(what: string, write: () => Promise<void>): Promise<void> {
    const { signal, log } = this.#options
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted()
      try {
        return await write()
      } catch (error) {
        log.error(`${what} is not written and is tried again: ${reasonOf(error)}`)
      }
      await pause(Math.min(1000 * 2 ** attempt, maxPauseMs), undefined, { signal })
    }
  }

  async #untilStopped(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#options.signal.aborted)
        this.#options.log.error(`a timer failed: ${reasonOf(error)}`)
    }
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}

/** The same for every attempt at one due time. */
function dueTurn({ id }: Job, due: number): string {
  return `tmr-${id}-${compactTime(due)}`
}

function compactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:.]/g, '')
}
