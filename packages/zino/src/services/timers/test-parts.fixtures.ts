// A clock and a timer that tests move by hand, and the parts of tmr over them.
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { recordingLog } from '../../../test/log.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { parseMoment, parseRule } from './expression/expression.ts'
import { Inbox } from './inbox/inbox.ts'
import type { Job } from './jobs/jobs.ts'
import { Jobs } from './jobs/jobs.ts'
import { Runner } from './runner.ts'
import { Scheduler } from './scheduler.ts'
import type { TurnCall, TurnResult } from './turn-call.ts'

export class ManualClock implements Clock {
  wallMs: number
  #monotonicMs = 0

  constructor(time: string) {
    this.wallMs = Date.parse(time)
  }

  now(): Date {
    return new Date(this.wallMs)
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  /** Time passes while the machine is awake. */
  pass(ms: number): void {
    this.wallMs += ms
    this.#monotonicMs += ms
  }

  /** The machine sleeps, or the wall clock is set: only the wall clock moves. */
  jump(ms: number): void {
    this.wallMs += ms
  }
}

const parallel = 4
/** A run that is not written by then waits for its disk. */
const maxWaits = 500

export interface Parts {
  clock: ManualClock
  jobs: Jobs
  inbox: Inbox
  scheduler: Scheduler
  runner: Runner
  log: ReturnType<typeof recordingLog>
  /** Messages that reached daemon. */
  turns: TurnCall[]
  /** The pending timer, in milliseconds from now; undefined for none. */
  timerMs(): number | undefined
  /** The supervisor asks whether the service answers. */
  ping(): Promise<void>
  /** Lets time pass in the pieces in which the timer fires. */
  advance(ms: number): Promise<void>
  add(kind: 'remind' | 'every', when: string, text: string, channel?: string): Promise<Job>
  /** Ends this process without a clean stop. */
  crash(): void
}

export interface PartsOptions {
  folder?: string
  clock?: ManualClock
  zone?: string
  hasPings?: boolean
  answer?: (call: TurnCall) => Promise<TurnResult>
}

export async function startParts(options: PartsOptions = {}): Promise<Parts> {
  const { folder = tempFolder(), zone = 'Europe/Berlin', hasPings = false } = options
  const clock = options.clock ?? new ManualClock('2026-11-16T09:41:10Z')
  const answer =
    options.answer ??
    (async ({ message }) => ({ text: `heard ${message}`, isTruncated: false }) as TurnResult)
  const log = recordingLog()
  const stopping = new AbortController()
  const turns: TurnCall[] = []
  const inbox = new Inbox({ file: path.join(folder, 'inbox.jsonl'), clock, log, onAdded: () => {} })
  const jobs = new Jobs(path.join(folder, 'timers.jsonl'), log)
  // Runs in progress, and those of them that wait for an answer.
  let running = 0
  let answering = 0
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    running += 1
    try {
      return await work
    } finally {
      running -= 1
    }
  }
  const runner = new Runner({
    ...{ jobs, inbox, clock, log, parallel, signal: stopping.signal },
    runTurn: async (call) => {
      turns.push(call)
      answering += 1
      try {
        return await answer(call)
      } finally {
        answering -= 1
      }
    },
  })
  let pending: { at: number; fire: () => void } | undefined
  const scheduler = new Scheduler({
    ...{ jobs, clock, log, hasPings },
    run: (job, due, isLate) => counted(runner.runDue(job, due, isLate)),
    setTimer: (fire, ms) => {
      const timer = { at: clock.monotonicMs() + ms, fire }
      pending = timer
      return () => {
        if (pending === timer) pending = undefined
      }
    },
  })
  const settle = async () => {
    for (let wait = 0; ; wait += 1) {
      for (let round = 0; round < 12; round += 1)
        await new Promise((resolve) => setImmediate(resolve))
      const isWriting = running > answering && answering < parallel
      if (!isWriting || wait === maxWaits) return
      await pause(1)
    }
  }
  const advance = async (ms: number) => {
    const end = clock.monotonicMs() + ms
    while (pending !== undefined && pending.at <= end) {
      clock.pass(Math.max(0, pending.at - clock.monotonicMs()))
      const { fire } = pending
      pending = undefined
      const now = clock.wallMs
      const isDue = [...jobs.all()].some(({ next, runs }) => next <= now || runs.length > 0)
      fire()
      if (isDue) await settle()
    }
    clock.pass(end - clock.monotonicMs())
  }
  const ping = async () => {
    scheduler.checkTime()
    await settle()
  }
  void counted(runner.recover((job) => scheduler.schedule(job)))
  await scheduler.start()
  await settle()
  const add: Parts['add'] = async (
    kind,
    when,
    text,
    channel = kind === 'every' ? 'timers' : '',
  ) => {
    const now = clock.now().getTime()
    const {
      next,
      rule,
      zone: used,
    } = (kind === 'every' ? parseRule : parseMoment)(when, { now, zone })
    const spec = { kind, when, zone: used, text, channel, allow: undefined, created: now }
    const job = await jobs.add(spec, next, rule)
    scheduler.schedule(job)
    return job
  }
  return {
    ...{ clock, jobs, inbox, scheduler, runner, log, turns, advance, ping, add },
    timerMs: () => (pending === undefined ? undefined : pending.at - clock.monotonicMs()),
    crash: () => {
      scheduler.stop()
      stopping.abort(new Error('killed'))
    },
  }
}

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface Entry {
  id: number
  text: string
  late: boolean
  due: string
  turn: string
  failed: boolean
}

export const entriesOf = ({ inbox }: Pick<Parts, 'inbox'>) => inbox.list() as Entry[]
