// `zino status`: asks the supervisor; without one, asks every socket whether somebody is there.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { findConfig } from '../config/find-config.ts'
import type { ZinoConfig } from '../config/schema.ts'
import { serviceNames } from '../service/service.ts'
import type { ServiceReport } from '../supervisor/control.ts'
import { controlSocket } from '../supervisor/control.ts'
import { askService } from '../wire/client.ts'
import { isMessage } from '../wire/frame.ts'

export interface StatusCall {
  config: string | undefined
  json: boolean
}

interface Report {
  supervisor: { pid: number; config: string } | null
  services: Partial<ServiceReport>[]
}

const deadlineMs = 3000

/** Exit code 0 when all seven answer, else 1. */
export async function runStatus(call: StatusCall, host: Host): Promise<number> {
  const { config } = await findConfig({ given: call.config, env: host.env, cwd: host.cwd })
  const report = await reportOf(config)
  host.stdout.write(call.json ? `${JSON.stringify(report, null, 2)}\n` : asTable(report))
  return report.services.every(({ state }) => state === 'up') ? 0 : 1
}

async function reportOf(config: ZinoConfig): Promise<Report> {
  const alive = await Promise.all(serviceNames.map((name) => answers(config[name].socket)))
  const known = await supervisorReport(config)
  const services = serviceNames.map((name, index): Partial<ServiceReport> => {
    const found = known?.services.find((service) => service.name === name)
    const state = alive[index] === true ? 'up' : found?.state === 'up' ? 'silent' : 'down'
    if (found === undefined) return { name, state, socket: path.resolve(config[name].socket) }
    return { ...found, state: state === 'down' ? found.state : state }
  })
  return { supervisor: known?.supervisor ?? null, services }
}

async function supervisorReport(config: ZinoConfig): Promise<Report | undefined> {
  try {
    const answer = await askService(controlSocket(config), { type: 'status' }, { deadlineMs })
    return Array.isArray(answer.services) && isMessage(answer.supervisor)
      ? (answer as unknown as Report)
      : undefined
  } catch {
    return undefined
  }
}

async function answers(socket: string): Promise<boolean> {
  try {
    return (await askService(socket, { type: 'ping' }, { deadlineMs })).type === 'pong'
  } catch {
    return false
  }
}

function asTable({ supervisor, services }: Report): string {
  const rows = services.map((service) => [
    service.name ?? '',
    service.state ?? '',
    String(service.pid ?? '-'),
    String(service.restarts ?? '-'),
    duration(service.uptime_seconds),
    megabytes(service.rss_bytes),
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
  return head + aligned(table)
}

function aligned(table: readonly (readonly string[])[]): string {
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

function megabytes(bytes: number | null | undefined): string {
  return bytes === null || bytes === undefined ? '-' : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
