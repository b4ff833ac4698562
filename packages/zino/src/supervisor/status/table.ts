// Formats the report of `zino status` as a table.
import type { ServiceReport } from '../control.ts'

export interface Report {
  supervisor: { pid: number; config: string } | null
  services: Partial<ServiceReport>[]
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
  const rows = services.map((service) => [
    service.name ?? '',
    service.state ?? '',
    String(service.pid ?? '-'),
    String(service.restarts ?? '-'),
    duration(service.uptime_seconds),
    mebibytes(service.rss_bytes),
    service.socket ?? '',
    service.last_end ?? '',
  ])
  const table = [
    ['service', 'state', 'pid', 'restarts', 'up', 'memory', 'socket', 'last end'],
    ...rows,
  ]
  const head =
    supervisor === null
      ? 'no supervisor\n'
      : `supervisor ${supervisor.pid}, configuration ${supervisor.config}\n`
  return head + alignColumns(table) + formatTurns(turns)
}

function formatTurns(turns: readonly TurnLine[]): string {
  if (turns.length === 0) return ''
  const rows = turns.map(({ turn, channel, state, since }) => [turn, state, since, channel ?? '-'])
  return `\n${alignColumns([['turn', 'state', 'since', 'channel'], ...rows])}`
}

function alignColumns(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return table.map((row) => `${line(row)}\n`).join('')
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
