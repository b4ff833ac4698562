// `zino status`: pings every service and adds the supervisor's report, when a supervisor runs.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { askService } from '../../client/client.ts'
import type { ZinoConfig } from '../../config/config.ts'
import { findConfig } from '../../config/config.ts'
import type { ServiceName } from '../../services/services.ts'
import { allServiceNames, serviceNames } from '../../services/services.ts'
import { isMessage } from '../../wire/wire.ts'
import { controlSocket } from '../control-socket.ts'
import type { Report, TurnLine } from './table.ts'
import { formatReport } from './table.ts'

export interface StatusCall {
  config: string | undefined
  json: boolean
}

const deadlineMs = 3000

/** Resolves to exit code 0 when all services answer that should run, else 1. */
export async function runStatus(call: StatusCall, host: Host): Promise<number> {
  const { config } = await findConfig({ requested: call.config, env: host.env, cwd: host.cwd })
  const report = await buildReport(config)
  host.stdout.write(call.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report))
  return report.services.every(({ state }) => state === 'up') ? 0 : 1
}

async function buildReport(config: ZinoConfig): Promise<Report> {
  const answering = await Promise.all(
    allServiceNames.map(async (name) => ((await isAnswering(config[name].socket)) ? name : '')),
  )
  const alive = new Set<string>(answering)
  const supervised = await supervisorReport(config)
  const findService = (name: ServiceName) =>
    supervised?.services.find((service) => service.name === name)
  // An optional service that nothing has started is not missing.
  const expected = allServiceNames.filter(
    (name) => serviceNames.includes(name) || alive.has(name) || findService(name) !== undefined,
  )
  const services = expected.map((name): Report['services'][number] => {
    const found = findService(name)
    const state = alive.has(name) ? 'up' : found?.state === 'up' ? 'silent' : 'down'
    const optional = serviceNames.includes(name) ? {} : { optional: true }
    if (found === undefined) {
      return { name, state, socket: path.resolve(config[name].socket), ...optional }
    }
    return { ...found, state: state === 'down' ? found.state : state, ...optional }
  })
  const turns = alive.has('daemon') ? await openTurns(config) : []
  return { supervisor: supervised?.supervisor ?? null, services, turns }
}

async function openTurns(config: ZinoConfig): Promise<TurnLine[]> {
  try {
    const { turns } = await askService(config.daemon.socket, { type: 'turns' }, { deadlineMs })
    return Array.isArray(turns) ? (turns as TurnLine[]) : []
  } catch {
    return []
  }
}

async function supervisorReport(
  config: ZinoConfig,
): Promise<Pick<Report, 'supervisor' | 'services'> | undefined> {
  try {
    const answer = await askService(controlSocket(config), { type: 'status' }, { deadlineMs })
    return Array.isArray(answer.services) && isMessage(answer.supervisor)
      ? (answer as unknown as Report)
      : undefined
  } catch {
    return undefined
  }
}

async function isAnswering(socket: string): Promise<boolean> {
  try {
    return (await askService(socket, { type: 'ping' }, { deadlineMs })).type === 'pong'
  } catch {
    return false
  }
}
