import { appendFileSync, chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { nextInstant } from './calendar/calendar.ts'
import { maxWaitMs } from './scheduler.ts'
import {
  dayMs,
  entriesOf,
  hourMs,
  ManualClock,
  minuteMs,
  startParts,
} from './test-parts.fixtures.ts'
import type { TurnResult } from './turn-call.ts'

const eventually = (condition: () => boolean | Promise<boolean>) => until(condition, 30_000)

const rounds = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 100) / 100)
const textsOf = (parts: Parameters<typeof entriesOf>[0]) => entriesOf(parts).map(({ text }) => text)

describe('a reminder', () => {
  it('comes once at its time, is not late, and is gone from the list', async () => {
    const parts = await startParts()
    await parts.add('remind', 'in 10 minutes', 'take the bread out')
    await parts.advance(9 * minuteMs)
    expect(entriesOf(parts)).toEqual([])
    await parts.advance(2 * minuteMs)
    expect(entriesOf(parts)).toMatchObject([{ text: 'take the bread out', late: false }])
    expect(parts.jobs.size).toBe(0)
    expect(parts.turns).toEqual([])
    expect(parts.timerMs()).toBeUndefined()
    await parts.advance(dayMs)
    expect(entriesOf(parts)).toHaveLength(1)
  })

  it('with a channel is also a turn, and its text arrives even if the turn fails', async () => {
    const parts = await startParts({ answer: async () => ({ error: 'no model' }) })
    await parts.add('remind', 'in 10 minutes', 'call Ada', 'home')
    await parts.advance(hourMs)
    expect(parts.turns).toMatchObject([{ channel: 'home', message: 'Reminder: call Ada' }])
    expect(entriesOf(parts)).toMatchObject([{ text: 'call Ada\n\nfailed: no model', failed: true }])
  })
})

describe('a repeating job', () => {
  it('runs as a turn under an id made of the job and its due time', async () => {
    const parts = await startParts()
    const job = await parts.add('every', 'mon..fri 08:30', 'summarise', 'ops')
    await parts.advance(2 * dayMs)
    expect(parts.turns).toMatchObject([
      { turn: `tmr-${job.id}-20261117T073000000Z`, channel: 'ops', message: 'summarise' },
      { turn: `tmr-${job.id}-20261118T073000000Z`, channel: 'ops', message: 'summarise' },
    ])
    expect(textsOf(parts)).toEqual(['heard summarise', 'heard summarise'])
  })

  it('runs once more, late, when further times pass while it runs', async () => {
    let finish: (result: TurnResult) => void = () => {}
    const parts = await startParts({
      answer: () => new Promise((resolve) => (finish = resolve)),
    })
    const job = await parts.add('every', '1 minute', 'slow')
    await parts.advance(5 * minuteMs)
    expect(parts.turns).toHaveLength(1)
    finish({ text: 'done', isTruncated: false })
    await eventually(() => job.runs.length === 1 && parts.turns.length === 2)
    finish({ text: 'done', isTruncated: false })
    await eventually(() => entriesOf(parts).length === 2 && job.runs.length === 0)
    expect(entriesOf(parts).map(({ late }) => late)).toEqual([false, true])
    expect(job.next).toBeGreaterThan(parts.clock.wallMs)
  })

  it('puts the reason into the inbox when its turn fails, and stays', async () => {
    const parts = await startParts({ answer: async () => ({ error: 'no route' }) })
    await parts.add('every', 'daily 7:00', 'summarise')
    await parts.advance(dayMs)
    expect(entriesOf(parts)).toMatchObject([{ text: 'failed: no route', failed: true }])
    expect(parts.jobs.size).toBe(1)
  })
})

describe('sleep and changes of the clock', () => {
  it('a job whose time passes while the machine sleeps runs once, late, within 30 s of waking', async () => {
    const parts = await startParts()
    await parts.add('every', 'daily 7:00', 'summarise')
    await parts.advance(minuteMs)
    parts.clock.jump(3 * dayMs)
    await parts.advance(maxWaitMs)
    expect(entriesOf(parts)).toMatchObject([{ late: true, due: '2026-11-17T06:00:00Z' }])
    await parts.advance(hourMs)
    expect(entriesOf(parts)).toHaveLength(1)
    await parts.advance(dayMs)
    expect(entriesOf(parts)).toMatchObject([{ late: true }, { late: false }])
  })

  it('with pings, one timer waits for the whole time, and the first ping after a sleep starts the job', async () => {
    const parts = await startParts({ hasPings: true })
    await parts.add('every', 'daily 7:00', 'summarise')
    const wait = parts.timerMs() ?? 0
    expect(wait).toBeGreaterThan(20 * hourMs)
    await parts.advance(hourMs)
    await parts.ping()
    expect(parts.timerMs()).toBe(wait - hourMs)
    parts.clock.jump(3 * dayMs)
    await parts.ping()
    await parts.advance(1000)
    expect(entriesOf(parts)).toMatchObject([{ late: true, due: '2026-11-17T06:00:00Z' }])
    expect(parts.timerMs()).toBeLessThan(dayMs)
  })

  it('a clock set back by an hour makes no job run twice for the same time', async () => {
    const parts = await startParts()
    await parts.add('every', 'daily 11:00', 'summarise')
    await parts.advance(30 * minuteMs)
    expect(parts.turns).toHaveLength(1)
    parts.clock.jump(-hourMs)
    await parts.advance(2 * hourMs)
    expect(parts.turns).toHaveLength(1)
    expect(parts.log.lines.join('\n')).toContain('the clock was set back by 3600 s')
    await parts.advance(dayMs)
    expect(parts.turns).toHaveLength(2)
  })

  it('a job that ran by a clock years ahead runs again once the clock is right', async () => {
    const parts = await startParts()
    await parts.add('every', '2 hours', 'often')
    await parts.add('every', 'daily 11:00', 'summarise')
    parts.clock.jump(4000 * dayMs)
    await parts.advance(minuteMs)
    expect(parts.turns).toHaveLength(2)
    parts.clock.jump(-4000 * dayMs)
    await parts.advance(3 * hourMs)
    const messages = () => parts.turns.map(({ message }) => message)
    expect(messages()).toEqual(['summarise', 'often', 'often'])
    await parts.advance(dayMs)
    expect(messages().filter((message) => message === 'summarise')).toHaveLength(2)
  })

  it('a rule runs once for each of its times under random sleep, jumps and restarts', async () => {
    const step = fc.record({
      kind: fc.constantFrom('pass', 'sleep', 'back', 'restart', 'crash'),
      minutes: fc.integer({ min: 1, max: 36 * 60 }),
    })
    const rule = fc.constantFrom(
      'daily 2:30',
      'mon..fri 08:30',
      '7 hours',
      '0:00 and 23:59',
      '31st',
    )
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe')
    const start = fc.constantFrom(
      '2026-03-27T20:00:00Z',
      '2026-10-24T01:00:00Z',
      '2028-02-28T09:00:00Z',
    )
    const property = fc.asyncProperty(
      ...([rule, zone, start] as const),
      ...([fc.array(step, { minLength: 3, maxLength: 8 }), fc.boolean()] as const),
      async (when, inZone, time, steps, hasPings) => {
        const folder = tempFolder()
        const clock = new ManualClock(time)
        const turns: string[] = []
        const answer = async ({ turn }: { turn: string }) => {
          turns.push(turn)
          return { text: 'x', isTruncated: false }
        }
        const open = () => startParts({ folder, clock, answer, zone: inZone, hasPings })
        let parts = await open()
        const job = await parts.add('every', when, 'x')
        const created = clock.wallMs
        let latest = created
        // A clock set back by more than a day was wrong before, and its jobs are scheduled anew.
        let maxBackMs = dayMs
        for (const { kind, minutes } of steps) {
          const ms = minutes * minuteMs
          if (kind === 'pass') await parts.advance(ms)
          else if (kind === 'sleep') clock.jump(ms)
          else if (kind === 'back') {
            const backMs = Math.min(ms, 12 * hourMs, maxBackMs)
            maxBackMs -= backMs
            clock.jump(-backMs)
          } else {
            parts.crash()
            if (kind === 'crash') clock.jump(ms)
            parts = await open()
          }
          if (hasPings) await parts.ping()
          await parts.advance(maxWaitMs)
          latest = Math.max(latest, clock.wallMs)
        }
        parts.crash()
        expect(new Set(turns).size).toBe(turns.length)
        const now = parts.jobs.get(job.id)
        expect(turns).toEqual(entriesOf(parts).map(({ turn }) => turn))
        // The next run is the first time after the last one: no time is left out for good.
        const due = now?.next ?? 0
        const first = nextInstant(now?.rule ?? { kind: 'interval', ms: 1, from: 0 }, latest, inZone)
        expect(due).toBeLessThanOrEqual(first ?? 0)
        expect(due).toBeGreaterThan(created)
      },
    )
    await fc.assert(property, { numRuns: 25 * rounds })
  })
})

describe('a restart', () => {
  it('finishes a run that was begun, under the same id, and delivers it once', async () => {
    const folder = tempFolder()
    const clock = new ManualClock('2026-11-16T09:41:10Z')
    const first = await startParts({ folder, clock, answer: () => new Promise(() => {}) })
    await first.add('every', 'daily 11:00', 'summarise')
    await first.add('remind', '11:00', 'tea')
    await first.advance(hourMs)
    const [begun] = first.turns
    first.crash()
    const second = await startParts({ folder, clock })
    await second.advance(minuteMs)
    expect(second.turns).toMatchObject([{ turn: begun?.turn, isRepeated: true }])
    expect(textsOf(second).sort()).toEqual(['heard summarise', 'tea'])
    second.crash()
    const third = await startParts({ folder, clock })
    await third.advance(minuteMs)
    expect(third.turns).toEqual([])
    expect(entriesOf(third)).toHaveLength(2)
  })

  it('delivers nothing again when the process died between the inbox and its record', async () => {
    const folder = tempFolder()
    const clock = new ManualClock('2026-11-16T09:41:10Z')
    const first = await startParts({ folder, clock })
    await first.add('remind', 'in 10 minutes', 'tea')
    await first.advance(hourMs)
    first.crash()
    const file = path.join(folder, 'timers.jsonl')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.at(-1)).toContain('"done"')
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n{"kind":"do`)
    const second = await startParts({ folder, clock })
    await second.advance(minuteMs)
    expect(textsOf(second)).toEqual(['tea'])
    expect(second.jobs.size).toBe(0)
    expect(second.jobs.damage).toBeUndefined()
  })

  it('marks a job late whose time came while nothing ran, and runs fifty of them once each', async () => {
    const folder = tempFolder()
    const clock = new ManualClock('2026-11-16T09:41:10Z')
    const first = await startParts({ folder, clock })
    for (let n = 0; n < 50; n += 1) await first.add('every', 'daily 11:00', `job ${n}`)
    first.crash()
    clock.jump(hourMs)
    let running = 0
    let most = 0
    const answer = async () => {
      most = Math.max(most, (running += 1))
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return { text: 'x', isTruncated: false }
    }
    const second = await startParts({ folder, clock, answer })
    await eventually(() => entriesOf(second).length === 50)
    expect(new Set(second.turns.map(({ message }) => message)).size).toBe(50)
    expect(second.turns).toHaveLength(50)
    expect(entriesOf(second).every(({ late }) => late)).toBe(true)
    expect(most).toBe(4)
  })
})

describe('timers.jsonl', () => {
  it('with damaged lines keeps the others, and a copy of the file', async () => {
    const folder = tempFolder()
    const first = await startParts({ folder })
    await first.add('every', 'daily 7:00', 'one')
    const file = path.join(folder, 'timers.jsonl')
    appendFileSync(file, 'garbage\n{"kind":"job","job":{"id":7}}\n\u0000\u0001\n')
    await first.add('every', 'daily 8:00', 'two')
    first.crash()
    const second = await startParts({ folder })
    expect([...second.jobs.all()].map(({ text }) => text)).toEqual(['one', 'two'])
    expect(second.jobs.damage).toMatchObject({ lines: 3 })
    expect(readdirSync(folder)).toContain('timers.jsonl.damaged-1')
    await second.jobs.close()
    const third = await startParts({ folder })
    expect(third.jobs.damage).toBeUndefined()
    expect(third.jobs.size).toBe(2)
  })

  it('that cannot be written refuses a new job and begins no run before it can', async () => {
    const folder = tempFolder()
    const parts = await startParts({ folder })
    await parts.add('every', 'daily 11:00', 'summarise')
    const { jobs, log } = parts
    const begin = jobs.begin.bind(jobs)
    let isFull = true
    jobs.begin = (id, run) => (isFull ? Promise.reject(new Error('ENOSPC')) : begin(id, run))
    await parts.advance(30 * minuteMs)
    expect(parts.turns).toEqual([])
    expect(log.lines.join('\n')).toMatch(/ERROR the start of timer \w+ is not written.*ENOSPC/)
    isFull = false
    await eventually(() => entriesOf(parts).length === 1)
    expect(parts.turns).toHaveLength(1)
  })

  it('in a folder without write permission makes adding fail with the reason', async () => {
    const folder = tempFolder()
    const parts = await startParts({ folder: path.join(folder, 'data') })
    writeFileSync(path.join(folder, 'data'), 'a file where the folder should be')
    chmodSync(path.join(folder, 'data'), 0o400)
    await expect(parts.add('every', 'daily 7:00', 'one')).rejects.toThrow(/data/)
    expect(parts.jobs.size).toBe(0)
  })

  it('stays short however often a job runs', async () => {
    const folder = tempFolder()
    const parts = await startParts({ folder })
    const job = await parts.add('remind', 'every 1 minute', 'tick')
    for (let n = 1; n <= 70; n += 1) {
      await parts.advance(minuteMs)
      await eventually(() => parts.inbox.size === n && job.runs.length === 0)
    }
    await parts.jobs.close()
    const lines = readFileSync(path.join(folder, 'timers.jsonl'), 'utf8').split('\n').length
    expect(lines).toBeLessThan(135)
    const again = await startParts({ folder, clock: parts.clock })
    expect(again.jobs.size).toBe(1)
    expect(entriesOf(again)).toHaveLength(70)
  })
})

describe('ten thousand timers', () => {
  it('share one timer, which does not exist when nothing is scheduled', async () => {
    const parts = await startParts()
    expect(parts.timerMs()).toBeUndefined()
    const job = await parts.add('every', 'daily 7:00', 'one')
    await parts.add('every', '20 seconds', 'two')
    expect(parts.timerMs()).toBe(20_000)
    await parts.jobs.remove(job.id)
    expect(parts.timerMs()).toBe(20_000)
  })
})
