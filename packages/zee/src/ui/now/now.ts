// What zino does now, from the programs' own commands: services, timers and calls that wait for approval.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isObject, parseObject } from '@zee/core/json'
import { createRedactor } from '@zee/core/redact'
import type { MemoryAnswer, NowFacts } from '@zee/web/data'
import { sessionFolders } from '../../places/places.ts'
import { runProgram } from '../../programs/programs.ts'
import { firstText, listIn, memoryText } from '../../zino/zino.ts'
import { openSessions } from './open-sessions.ts'

const deadlineMs = 10_000
const maxRows = 200
const absent: NowFacts = { zino: { state: 'absent', services: [] }, timers: [], approvals: [] }

/** Sockets have short names. */
const serviceNames: Readonly<Record<string, string>> = {
  rtr: 'router',
  agr: 'agent',
  sys: 'prompt',
  exc: 'executor',
  mem: 'memory',
  ctx: 'context',
  tmr: 'timer',
}

type Fields = Readonly<Record<string, unknown>>

export async function readNow(host: Host): Promise<NowFacts> {
  const { folder } = sessionFolders(host)
  return { ...(await readZino(host)), openSessions: openSessions(folder) }
}

async function readZino(host: Host): Promise<NowFacts> {
  const { code, stdout, stderr } = await runProgram('zino', ['status', '--json'], host, deadlineMs)
  if (stderr.includes('no configuration')) return absent
  const services = listIn(parseObject(stdout), 'services').map(({ name, state }) => ({
    name: serviceNames[String(name)] ?? String(name),
    state: String(state),
  }))
  const isRunning = code === 0 || services.some(({ state }) => state === 'up')
  if (!isRunning) return { ...absent, zino: { state: 'stopped', services } }
  const [timers, approvals] = await Promise.all([
    zinoList(['timers', '--json'], ['timers', 'results'], host),
    zinoList(['approve', '--json'], ['approvals', 'waiting', 'calls'], host),
  ])
  const redact = redactorOf(host)
  return {
    zino: { state: 'running', services },
    timers: timers.map((timer) => ({
      id: String(timer.id ?? ''),
      text: redact(firstText(timer, ['text', 'prompt', 'message', 'what'])),
      next: firstText(timer, ['next', 'next_at', 'at', 'due']),
    })),
    approvals: approvals.map((call) => ({
      id: String(call.id ?? ''),
      text: redact(firstText(call, ['command', 'text', 'code', 'input', 'tool'])),
    })),
  }
}

/** Searches hard memories and channels; without a query lists the hard memories. */
export async function searchMemory(text: string, host: Host): Promise<MemoryAnswer> {
  // An argument of a program cannot hold a NUL.
  const query = text.replaceAll('\0', ' ').trim()
  const args =
    query === ''
      ? ['memory', 'list', '--json']
      : ['memory', 'search', '--scope', 'all', '--top', '50', '--json', '--', query]
  const { code, stdout, stderr } = await runProgram('zino', args, host, deadlineMs)
  if (code !== 0) {
    const reason = oneLine(stderr.trim()).replace(/^zino: /, '') || 'zino did not answer'
    const problem = /no configuration/.test(reason)
      ? 'zino is not set up: zino init'
      : /cannot reach/.test(reason)
        ? 'zino is not running: zino up --detach'
        : reason
    return { rows: [], problem }
  }
  const redact = redactorOf(host)
  const rows = listIn(parseObject(stdout), 'results', 'memories').map((row) => ({
    id: String(row.id ?? ''),
    text: redact(memoryText(row)),
    source: firstText(row, ['source', 'channel_id', 'channel', 'tag']),
    time: firstText(row, ['ts', 'time', 'created_at']),
    why: whyOf(row),
  }))
  return { rows: rows.slice(0, maxRows) }
}

function redactorOf(host: Host): (text: string) => string {
  const redactor = createRedactor({ environment: host.env })
  return (text) => redactor.text(text).text
}

function whyOf({ why, score }: Fields): string {
  if (Array.isArray(why)) return why.map(String).join(', ')
  if (typeof why === 'string') return why
  if (isObject(why)) {
    return Object.entries(why)
      .map(([name, value]) => `${name} ${typeof value === 'number' ? round(value) : String(value)}`)
      .join(', ')
  }
  return typeof score === 'number' ? `score ${round(score)}` : ''
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

/** Empty if this version of zino does not know the command, or nothing answers. */
async function zinoList(args: string[], names: readonly string[], host: Host): Promise<Fields[]> {
  const { code, stdout } = await runProgram('zino', args, host, deadlineMs)
  return code === 0 ? listIn(parseObject(stdout), ...names).slice(0, maxRows) : []
}
