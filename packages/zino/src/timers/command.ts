// `zino remind`, `zino every` and `zino timers`: requests to tmr.
import path from 'node:path'
import { terminalSafeText } from '@zee/core/colour'
import { alignColumns, cutToWidth } from '@zee/core/columns'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { displayWidth } from '@zee/core/styled-text'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'
import type { TimerCall } from './ask-timers.ts'
import { askTimers, warnOfDamage } from './ask-timers.ts'

export interface AddCall extends TimerCall {
  kind: 'remind' | 'every'
  when: string
  text: string
  channel: string | undefined
  zone: string | undefined
  tools: readonly string[]
  paths: readonly string[]
  hosts: readonly string[]
  tokens: number | undefined
  until: string | undefined
}

export interface BackgroundCall {
  config: string | undefined
  words: readonly string[]
  channel: string | undefined
  stream: boolean
  resume: string | undefined
}

export async function addTimer(call: AddCall, host: Host): Promise<number> {
  const { kind, when, text, channel: channel_id } = call
  if (text.trim() === '') throw usageError('the text is empty')
  const zone = call.zone ?? (await configuredZone(call, host))
  const request = { type: kind, when, text, channel_id, zone, allow: allowOf(call, host) }
  const { timer } = await askTimers(call, host, request)
  const job = isMessage(timer) ? timer : {}
  return print(call, host, job, `${String(job.id)}: ${nextText(job)}\n`)
}

export async function listTimers(call: TimerCall, host: Host): Promise<number> {
  const { type: _, ...answer } = await askTimers(call, host, { type: 'list_timers' })
  warnOfDamage('timers.jsonl', answer.damaged, host)
  const timers = Array.isArray(answer.timers) ? answer.timers.filter(isMessage) : []
  return print(
    call,
    host,
    answer,
    timers.length === 0 ? 'no timers\n' : tableOf(timers, host.stdout),
  )
}

const changes = {
  pause: { type: 'pause_timer', done: 'paused' },
  resume: { type: 'resume_timer', done: 'resumed' },
  remove: { type: 'remove_timer', done: 'removed' },
  run: { type: 'run_timer', done: 'is running; the result comes to the inbox (zino inbox)' },
} as const

export async function changeTimers(
  call: TimerCall & { change: keyof typeof changes; ids: readonly string[] },
  host: Host,
): Promise<number> {
  const { type, done } = changes[call.change]
  for (const id of call.ids) {
    const { type: _, timer, ...answer } = await askTimers(call, host, { type, id })
    const job = isMessage(timer) ? timer : { id, ...answer }
    const when = call.change === 'resume' ? `: ${nextText(job)}` : ''
    print(call, host, job, `${String(job.id)} ${done}${when}\n`)
  }
  return 0
}

/** Sends a message whose answer comes to the inbox. */
export async function chatInBackground(call: BackgroundCall, host: Host): Promise<number> {
  const { words, channel: channel_id, stream, resume } = call
  if (stream || resume !== undefined) {
    throw usageError('--background goes with neither --stream nor --resume')
  }
  const text = words.join(' ').trim()
  if (text === '') throw usageError("no message: write it after 'zino chat --background'")
  const request = { type: 'background', text, channel_id }
  const { timer } = await askTimers({ ...call, json: false }, host, request)
  const id = isMessage(timer) ? String(timer.id) : ''
  host.stdout.write(`${id} is running; the answer comes to the inbox (zino inbox)\n`)
  return 0
}

/** The zone of this process, unless the configuration names one. */
async function configuredZone(call: TimerCall, host: Host): Promise<string | undefined> {
  const { findClientConfig } = await import('../config/config.ts')
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { config } = await findClientConfig(lookup)
  if (config.tmr.zone !== '') return config.tmr.zone
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Relative paths refer to the folder of the caller. */
function allowOf(call: AddCall, host: Host): object | undefined {
  const { tools, hosts, tokens, until } = call
  const paths = call.paths.map((each) =>
    each.startsWith('~') ? each : path.resolve(host.cwd, each),
  )
  const listed = Object.entries({ tools, paths, hosts }).filter(([, list]) => list.length > 0)
  const allow = { ...Object.fromEntries(listed), tokens, until }
  const isEmpty = Object.values(allow).every((value) => value === undefined)
  return isEmpty ? undefined : allow
}

/** A terminal gets the start of the text that fits; a pipe gets 60 characters of it. */
function tableOf(timers: readonly Message[], { isTTY, columns }: NodeJS.WriteStream): string {
  const rows = timers.map((timer) => [
    String(timer.id),
    String(timer.state),
    timer.next_local === null ? '-' : `${String(timer.next_local)} ${String(timer.zone)}`,
    String(timer.when),
    timer.channel === null ? '-' : String(timer.channel),
    lastText(timer.last_run),
    shortText(String(timer.text)),
  ])
  const head = ['id', 'state', 'next', 'when', 'channel', 'last run', 'text']
  const width = isTTY ? columns || 80 : Number.POSITIVE_INFINITY
  const table = [head, ...rows]
  const isWide = alignColumns(table).some((line) => displayWidth(line) > width)
  const shown = isWide ? table.map((row) => row.filter((_, at) => !lessUseful.has(at))) : table
  return alignColumns(shown)
    .map((line) => `${cutToWidth(line, width)}\n`)
    .join('')
}

/** Columns that a narrow terminal leaves out: the channel and the last run. */
const lessUseful: ReadonlySet<number> = new Set([4, 5])

function lastText(last: unknown): string {
  if (!isMessage(last)) return '-'
  return typeof last.error === 'string' ? 'failed' : last.late === true ? 'late' : 'ok'
}

function shortText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}

function nextText({ next_local: next, zone }: Message): string {
  return typeof next === 'string' ? `${next} (${String(zone)})` : 'paused'
}

function print(call: TimerCall, host: Host, value: object, text: string): number {
  const output = call.json ? `${JSON.stringify(value, null, 2)}\n` : text
  host.stdout.write(terminalSafeText(host.stdout)(output))
  return 0
}
