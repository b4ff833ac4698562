// A host with in-memory streams that claim to be a terminal.
import { fixedClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { PassThrough } from 'node:stream'

export interface TerminalHost {
  host: Host
  stdout(): string
  stderr(): string
}

export function terminalHost(
  options: { columns?: number; rows?: number; isTTY?: boolean; env?: Host['env'] } = {},
): TerminalHost {
  const { columns = 80, rows = 24, isTTY = true, env = {} } = options
  const open = () => Object.assign(new PassThrough(), { isTTY, columns, rows })
  const [stdout, stderr] = [open(), open()]
  const host = { env, cwd: '/', stdout, stderr, clock: fixedClock('2026-01-01T00:00:00Z') }
  return {
    host: host as unknown as Host,
    stdout: () => String(stdout.read() ?? ''),
    stderr: () => String(stderr.read() ?? ''),
  }
}
