// Describes a tool call in a few words: what it acted on, and how it ended.
import path from 'node:path'
import type { Envelope } from '@zee/agent'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import type { ChangeCounts } from './file-change.ts'

export interface CallView {
  name: string
  input: Readonly<Record<string, unknown>>
  /** The working folder; paths below it are shown relative to it. */
  root: string
  /** Lines that an `edit` or `write` added and removed. */
  counts?: ChangeCounts | undefined
}

/** `src/a.ts:120-180`, `src/b.ts +3 -1` or the first line of a command; empty if there is nothing to name. */
export function callObject(call: CallView, result: Envelope): string {
  const target = callTarget(call)
  const data = result.ok ? result.data : {}
  if (call.name === 'read') return target + lineRange(data)
  const counts = countsText(call.counts)
  return result.ok && counts !== '' ? `${target} ${counts}` : target
}

/** What a call acts on, known before it runs. */
export function callTarget({ name, input, root }: CallView): string {
  if (name === 'bash') return firstLine(String(input.command ?? ''))
  if (name === 'jobs') return firstLine([input.op, input.id].filter(Boolean).map(String).join(' '))
  if (name === 'recall') return `event ${String(input.event)}`
  if (typeof input.path === 'string' && name !== 'search') return shownPath(root, input.path)
  const text = Object.values(input).find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' && name !== 'search'
    ? firstLine(text)
    : firstLine([input.op, input.pattern, input.path].filter(Boolean).map(String).join(' '))
}

/** The outcome for a terminal: `258 B`, `+3 -1`, `exit 3`, `job-1 started`, `old_not_found (nearest: line 3)`. */
export function callOutcome({ name, counts }: CallView, result: Envelope): string {
  if (!result.ok) {
    const { code, message } = result.error
    const nearest = /nearest text begins at line (\d+)/.exec(message)?.[1]
    return nearest === undefined ? code : `${code} (nearest: line ${nearest})`
  }
  const { data } = result
  if (name === 'bash') {
    if (typeof data.job === 'string') return `${data.job} started`
    return data.timed_out === true ? 'timed out' : `exit ${String(data.exit_code)}`
  }
  if (name === 'read' && typeof data.bytes === 'number') return formatBytes(data.bytes)
  return countsText(counts)
}

/** Whether the call did what it was asked to: a command with a non-zero exit code did not. */
export function hasSucceeded({ name }: Pick<CallView, 'name'>, result: Envelope): boolean {
  if (!result.ok) return false
  const { job, exit_code: exitCode, timed_out: timedOut } = result.data
  return name !== 'bash' || typeof job === 'string' || (exitCode === 0 && timedOut !== true)
}

/** The last lines that a command wrote, stderr after stdout. */
export function lastOutputLines(result: Envelope, count: number): string[] {
  if (!result.ok) return []
  const { stdout, stderr } = result.data
  const text = [stdout, stderr].filter((each) => typeof each === 'string').join('\n')
  return text
    .slice(-64 * 1024)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean)
    .slice(-count)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${oneDecimal(bytes / 1000)} kB` : `${oneDecimal(bytes / 1e6)} MB`
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

function countsText(counts: ChangeCounts | undefined): string {
  return counts === undefined ? '' : `+${counts.added} -${counts.removed}`
}

function lineRange(data: Readonly<Record<string, unknown>>): string {
  if (!isObject(data)) return ''
  const { start_line: start, end_line: end } = data
  return typeof start === 'number' && typeof end === 'number' ? `:${start}-${end}` : ''
}

export function shownPath(root: string, name: string): string {
  if (!path.isAbsolute(name)) return oneLine(name)
  const relative = path.relative(root, name)
  return oneLine(relative === '' || relative.startsWith('..') ? name : relative)
}

const maxTargetLength = 200

function firstLine(text: string): string {
  const trimmed = text.trim()
  const [line = ''] = trimmed.split('\n', 1)
  const shown = oneLine(line.slice(0, maxTargetLength))
  return line.length < trimmed.length || line.length > maxTargetLength ? `${shown} …` : shown
}
