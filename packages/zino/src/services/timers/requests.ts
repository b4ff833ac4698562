// The requests of tmr: adding, listing and changing timers, and the inbox.
import type { Clock } from '@zee/core/clock'
import { parseRfc3339 } from '@zee/core/clock'
import { readAllows } from '../../allow/allow.ts'
import type { ZinoConfig } from '../../config/config.ts'
import { optionalBoolean, optionalString, requestError, stringField } from '../../fields/fields.ts'
import type { Handler, ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { canonicalZone, nextInstant, systemZone } from './calendar/calendar.ts'
import { parseMoment, parseRule } from './expression/expression.ts'
import { forgetTexts } from './forget.ts'
import type { Inbox, NewEntry } from './inbox/inbox.ts'
import type { Job, JobKind, Jobs } from './jobs/jobs.ts'
import { jobReport } from './jobs/jobs.ts'
import type { Runner } from './runner.ts'
import type { Scheduler } from './scheduler.ts'

export interface TimerParts {
  config: ZinoConfig
  clock: Clock
  env: ServiceContext['env']
  jobs: Jobs
  inbox: Inbox
  runner: Runner
  scheduler: Scheduler
  /** Replaces secrets, with `mem.redact`. */
  redact(text: string): string
}

type Requests = Readonly<Record<string, Handler>>

/** The channel of a job that names none; a reminder has none then. */
const defaultChannels: Readonly<Record<JobKind, string>> = {
  remind: '',
  every: 'timers',
  background: 'background',
}
const maxJobs = 100_000
const maxTextLength = 64 * 1024

export function timerRequests(parts: TimerParts): Requests {
  const { jobs, runner, scheduler, clock } = parts
  const report = (job: Job) => ({ type: 'timer', timer: jobReport(job) })
  return {
    remind: async (message) => report(await addJob(parts, message, 'remind')),
    every: async (message) => report(await addJob(parts, message, 'every')),
    background: async (message) => report(await addJob(parts, message, 'background')),
    list_timers: () => {
      const timers = reportsOf(jobs)
      return { type: 'timers', timers, ...damageField(jobs.damage) }
    },
    pause_timer: async (message) => {
      const job = jobField(jobs, message)
      if (!job.isPaused) await jobs.pause(job.id)
      return report(job)
    },
    resume_timer: async (message) => {
      const job = jobField(jobs, message)
      if (job.isPaused) {
        const now = clock.now().getTime()
        const next = job.rule === undefined ? job.next : nextInstant(job.rule, now, job.zone)
        await jobs.resume(job.id, next ?? job.next)
        scheduler.schedule(job)
      }
      return report(job)
    },
    remove_timer: async (message) => {
      const job = jobField(jobs, message)
      await jobs.remove(job.id)
      return report(job)
    },
    forget: async (message) => {
      const [turns, texts] = [textsOf(message.turns), textsOf(message.texts)]
      await forgetTexts(parts, { turns: new Set(turns), texts })
      return { type: 'ok' }
    },
    run_timer: async (message) => {
      const { run } = await runner.runNow(jobField(jobs, message))
      return { type: 'ok', turn: run.turn }
    },
  }
}

/** By time. Each zone is converted in one go, because changing the zone is slow. */
function reportsOf(jobs: Jobs): object[] {
  const byZone = [...jobs.all()].sort((one, other) => (one.zone < other.zone ? -1 : 1))
  return byZone
    .map((job) => ({ next: job.next, report: jobReport(job) }))
    .sort((one, other) => one.next - other.next)
    .map(({ report }) => report)
}

export function inboxRequests({ inbox }: TimerParts): Requests {
  return {
    inbox: () => ({
      ...{ type: 'inbox', entries: inbox.list(), dropped: inbox.dropped },
      ...damageField(inbox.damage),
    }),
    add_inbox: async (message) => {
      const turn = stringField(message, 'turn')
      if (!inbox.has(turn)) await inbox.add(orphanEntry(message, turn))
      return { type: 'ok' }
    },
    remove_inbox: async (message) => {
      if (optionalBoolean(message, 'all') === true) {
        return { type: 'ok', removed: await inbox.clear() }
      }
      const ids = idsField(message)
      const removed = await inbox.remove(ids)
      const missing = ids.filter((id) => !removed.includes(id))
      if (missing.length === 0) return { type: 'ok', removed: removed.length }
      throw requestError(`the inbox has no entry ${missing.join(', ')}`)
    },
  }
}

/** The answer of a turn whose client has not come back. */
function orphanEntry(message: Message, turn: string): NewEntry {
  const error = optionalString(message, 'error')
  return {
    ...{ job: '', kind: 'background', when: 'now', zone: 'UTC', turn, isLate: false, error },
    channel: optionalString(message, 'channel_id') ?? '',
    due: parseRfc3339(stringField(message, 'ts'))?.getTime() ?? 0,
    prompt: optionalString(message, 'prompt'),
    text: error === undefined ? stringField(message, 'text') : `failed: ${error}`,
    isTruncated: optionalBoolean(message, 'truncated') === true,
  }
}

async function addJob(
  { config, clock, env, jobs, scheduler, redact }: TimerParts,
  message: Message,
  kind: JobKind,
): Promise<Job> {
  const when = kind === 'background' ? 'now' : stringField(message, 'when').trim()
  const text = redact(stringField(message, 'text').trim())
  if (text === '') throw requestError('the text is empty')
  if (text.length > maxTextLength)
    throw requestError(`the text is above ${maxTextLength} characters`)
  if (when.length > 200) throw requestError('the time is longer than 200 characters')
  if (jobs.size >= maxJobs) throw requestError(`there are ${maxJobs} timers already`)
  const channel = optionalString(message, 'channel_id') ?? defaultChannels[kind]
  const allow = readAllows(message.allow, { cwd: process.cwd(), home: env.HOME })
  const now = clock.now().getTime()
  const context = { now, zone: zoneField(config, message) }
  const { next, rule, zone } = (kind === 'every' ? parseRule : parseMoment)(when, context)
  const limits = allow.length === 0 ? undefined : allow
  const spec = { kind, when, zone, text, channel, allow: limits, created: now }
  const job = await jobs.add(spec, next, rule)
  scheduler.schedule(job)
  return job
}

/** The zone of the request, of the configuration, or of this machine. */
function zoneField(config: ZinoConfig, message: Message): string {
  const named = optionalString(message, 'zone') ?? config.tmr.zone
  const zone = canonicalZone(named === '' ? systemZone() : named)
  if (zone !== undefined) return zone
  if (named === '') return 'UTC'
  throw requestError(`there is no time zone ${JSON.stringify(named)} (example: Europe/Berlin)`)
}

/** A job by its id, or by the beginning of one. */
function jobField(jobs: Jobs, message: Message): Job {
  const id = stringField(message, 'id').trim()
  const exact = jobs.get(id)
  if (exact !== undefined) return exact
  const found = id === '' ? [] : [...jobs.all()].filter((job) => job.id.startsWith(id))
  if (found.length === 1) return found[0] as Job
  const reason = found.length === 0 ? 'there is no timer' : 'several timers begin with'
  throw requestError(`${reason} ${JSON.stringify(id)} (see 'zino timers')`)
}

function idsField(message: Message): number[] {
  const { ids } = message
  const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => Number.isInteger(id))
  if (!isList) throw requestError('ids must be a list of whole numbers')
  return ids as number[]
}

function textsOf(value: unknown): string[] {
  if (value === undefined) return []
  const isList = Array.isArray(value) && value.every((text) => typeof text === 'string')
  if (!isList) throw requestError('turns and texts must be lists of text')
  return value as string[]
}

function damageField(damage: Jobs['damage']): object {
  return damage === undefined ? {} : { damaged: { lines: damage.lines, copy: damage.copy ?? null } }
}
