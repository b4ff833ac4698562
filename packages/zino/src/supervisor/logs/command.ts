// `zino logs`: prints the log of one service, or of all services in time order.
import { watch } from 'node:fs'
import path from 'node:path'
import { terminalSafeText } from '@zee/core/colour'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findConfig } from '../../config/config.ts'
import { allServiceNames } from '../../services/services.ts'
import { logFile, logFolder } from '../log-files.ts'
import { Tail } from './tail.ts'

export interface LogsCall {
  config: string | undefined
  service: string | undefined
  follow: boolean
  lines: number
}

/** Poll interval, for changes that the file watcher misses. */
const pollMs = 500

export async function runLogs(call: LogsCall, host: Host): Promise<number> {
  const { config } = await findConfig({ requested: call.config, env: host.env, cwd: host.cwd })
  const all: readonly string[] = [...allServiceNames, 'up']
  if (call.service !== undefined && !all.includes(call.service)) {
    throw usageError(`unknown service '${call.service}' (${all.join(', ')})`)
  }
  const folder = path.resolve(host.cwd, logFolder(config))
  const files = (call.service === undefined ? all : [call.service]).map((name) =>
    logFile(folder, name),
  )
  const tails = files.map((file) => new Tail(file))
  const lines = tails.flatMap((tail) => tail.existingLines())
  if (lines.length === 0 && tails.every((tail) => !tail.exists())) {
    throw new ZeeError(
      'no_logs',
      `no log files in ${folder}: start zino with 'zino up --detach' to get them`,
    )
  }
  // Every line starts with a sortable timestamp; a single file is in order already.
  const sorted = files.length === 1 ? lines : lines.toSorted(byTime)
  host.stdout.write(terminalSafeText(host.stdout)(sorted.slice(-call.lines).join('')))
  if (call.follow) await followAll(tails, folder, host)
  return 0
}

function followAll(tails: readonly Tail[], folder: string, host: Host): Promise<never> {
  const printNew = () => {
    const lines = tails.flatMap((tail) => tail.newLines())
    if (lines.length > 0)
      host.stdout.write(terminalSafeText(host.stdout)(lines.toSorted(byTime).join('')))
  }
  watch(folder, printNew).on('error', () => {})
  setInterval(printNew, pollMs)
  return new Promise(() => {})
}

function byTime(one: string, other: string): number {
  const [a, b] = [one.slice(0, 24), other.slice(0, 24)]
  return a < b ? -1 : Number(a > b)
}
