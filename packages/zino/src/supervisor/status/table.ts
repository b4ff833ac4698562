// Formats the report of `zino status` as a table.
import path from 'node:path'
import { alignColumns } from '@zee/core/columns'
import type { ServiceReport } from '../control.ts'

export interface Report {
  supervisor: { pid: number; config: string } | null
  /** Optional services are started when they are needed. */
  services: (Partial<ServiceReport> & { optional?: boolean })[]
  /** Turns that are unfinished, or answered and not stored. */
  turns: TurnLine[]
}

export interface TurnLine {
  turn: string
  channel: string | null
  state: string
  since: string
}

export function formatReport({ supervisor, services, turns }: Report): string {
  const folders = new Set(services.map(({ socket = '' }) => path.dirname(socket)))
  const [folder] = folders.size === 1 ? folders : []
  const table = services.map((service) => [
    service.name ?? '',
    service.state ?? '',
    String(service.pid ?? '-'),
    String(service.restarts ?? '-'),
    duration(service.uptime_seconds),
    mebibytes(service.rss_bytes),
    folder === undefined ? (service.socket ?? '') : path.basename(service.socket ?? ''),
    service.last_end ?? '',
  ])
  const heading = ['service', 'state', 'pid', 'restarts', 'up', 'memory', 'socket', 'last end']
  const hasEnded = services.some(({ last_end }) => (last_end ?? '') !== '')
  const rows = [heading, ...table].map((row) => (hasEnded ? row : row.slice(0, -1)))
  const head =
    supervisor === null
      ? ['no supervisor']
      : [`supervisor ${supervisor.pid}, configuration ${supervisor.config}`]
  if (folder !== undefined) head.push(`sockets in ${folder}`)
  return [...head, ...alignColumns(rows), ...turnLines(turns)].map((line) => `${line}\n`).join('')
}

function turnLines(turns: readonly TurnLine[]): string[] {
  if (turns.length === 0) return []
  const rows = turns.map(({ turn, channel, state, since }) => [turn, state, since, channel ?? '-'])
  return ['', ...alignColumns([['turn', 'state', 'since', 'channel'], ...rows])]
}

function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '-'
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`
}

function mebibytes(bytes: number | null | undefined): string {
  return bytes === null || bytes === undefined ? '-' : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
