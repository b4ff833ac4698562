// Confines scripts as configured: no network, write access to named folders only, resource limits.
// Uses bubblewrap or unshare, and prlimit, after probing that they work. `capabilities` reports what
// is really in force.
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { ChildEnvironment } from '@zee/core/process'
import { runProcess } from '@zee/core/process'
import type { ZinoConfig } from '../../config/config.ts'
import { jailed } from './jail/jail.ts'
import { isOnPath } from './on-path.ts'

export interface CommandLine {
  command: string
  args: readonly string[]
}

export interface Sandbox {
  /** Wraps a command line so that it runs inside the sandbox. */
  wrap(inner: CommandLine): CommandLine
  /** Wraps a command line with the resource limits only. */
  limit(inner: CommandLine): CommandLine
  /** Translates the exit code of a wrapped command line to that of the script. */
  exitCode(code: number): number
  report: SandboxReport
}

export interface SandboxReport {
  /** The isolation in force; null when there is none. */
  isolation: 'bubblewrap' | 'unshare' | null
  /** Whether scripts can use the network. */
  network: boolean
  /** Folders that scripts can write to; null means wherever exc can. */
  write: readonly string[] | null
  limits: Readonly<Record<string, number>>
}

type Wrap = Sandbox['wrap']

interface Requested {
  network: boolean
  write: readonly string[] | undefined
}

const probeDeadlineMs = 5000

export async function openSandbox(
  exc: ZinoConfig['exc'],
  env: ChildEnvironment,
  log: Logger,
): Promise<Sandbox> {
  const limits = await limiter(exc, env, log)
  const requested: Requested = {
    network: exc.network,
    write: exc.write?.flatMap((folder) => realFolder(folder, log)),
  }
  const noIsolation = { isolation: null, network: true, write: null } as const
  if (requested.network && requested.write === undefined) {
    return {
      wrap: limits.wrap,
      limit: limits.wrap,
      exitCode: unchanged,
      report: { ...noIsolation, limits: limits.inForce },
    }
  }
  for (const { name, wrap } of isolators(requested)) {
    if (!(await canRun(wrap, env))) continue
    const report = {
      isolation: name,
      network: requested.network,
      write: requested.write ?? null,
      limits: limits.inForce,
    }
    const exitCode = name === 'bubblewrap' ? signalFromExitCode : unchanged
    return { wrap: (inner) => limits.wrap(wrap(inner)), limit: limits.wrap, exitCode, report }
  }
  log.warn(
    '[exc] network and write are NOT in force: neither bubblewrap nor unshare works here ' +
      '(install bubblewrap)',
  )
  return {
    wrap: limits.wrap,
    limit: limits.wrap,
    exitCode: unchanged,
    report: { ...noIsolation, limits: limits.inForce },
  }
}

const unchanged = (code: number): number => code

/** bubblewrap reports a signal like a shell: exit code 128 plus the signal number. */
function signalFromExitCode(code: number): number {
  const signal = code - 128
  return Object.values(constants.signals).includes(signal as never) ? -signal : code
}

function isolators(requested: Requested): { name: 'bubblewrap' | 'unshare'; wrap: Wrap }[] {
  return [
    { name: 'bubblewrap', wrap: (inner) => bubblewrap(requested, inner) },
    { name: 'unshare', wrap: (inner) => unshare(requested, inner) },
  ]
}

function bubblewrap({ network, write }: Requested, inner: CommandLine): CommandLine {
  const files =
    write === undefined
      ? ['--dev-bind', '/', '/']
      : ['--ro-bind', '/', '/', '--dev', '/dev', ...write.flatMap((dir) => ['--bind', dir, dir])]
  const net = network ? [] : ['--unshare-net']
  // Root could remount everything writable. Other users have no capabilities to drop.
  const rights = process.getuid?.() === 0 ? ['--cap-drop', 'ALL'] : []
  const args = [...files, ...net, ...rights, '--die-with-parent', '--', inner.command]
  return { command: 'bwrap', args: [...args, ...inner.args] }
}

function unshare({ network, write }: Requested, inner: CommandLine): CommandLine {
  const net = network ? [] : ['--net']
  const line = [inner.command, ...inner.args]
  if (write === undefined) {
    return { command: 'unshare', args: ['--user', '--map-current-user', ...net, '--', ...line] }
  }
  const spec = { paths: undefined, write, network, masked: [], fixed: [], seesProcesses: true }
  return jailed(spec, inner.args[0] ?? '/dev/null', process.cwd(), inner)
}

async function limiter(
  exc: ZinoConfig['exc'],
  env: ChildEnvironment,
  log: Logger,
): Promise<{ wrap: Wrap; inForce: Readonly<Record<string, number>> }> {
  const rows: [name: string, option: string, value: number, unit: number][] = [
    ['cpu_seconds', '--cpu', exc.cpu_seconds, 1],
    ['memory_mb', '--as', exc.memory_mb, 1024 * 1024],
    ['open_files', '--nofile', exc.open_files, 1],
    ['processes', '--nproc', exc.processes, 1],
  ]
  const limits = rows.filter(([, , value]) => value > 0)
  const options = limits.map(([, option, value, unit]) => `${option}=${value * unit}`)
  const wrap: Wrap = ({ command, args }) => ({
    command: 'prlimit',
    args: [...options, '--', command, ...args],
  })
  const unlimited: Wrap = (inner) => inner
  if (limits.length === 0) return { wrap: unlimited, inForce: {} }
  if (await canRun(wrap, env)) {
    return { wrap, inForce: Object.fromEntries(limits.map(([name, , value]) => [name, value])) }
  }
  log.warn('limits of [exc] are NOT in force: prlimit is missing or not permitted')
  return { wrap: unlimited, inForce: {} }
}

/** Whether `true` runs inside the wrapper. */
async function canRun(wrap: Wrap, env: ChildEnvironment): Promise<boolean> {
  const line = wrap({ command: 'true', args: [] })
  if (!isOnPath(line.command, env.PATH)) return false
  const result = await runProcess({ ...line, env, deadlineMs: probeDeadlineMs })
  return result.outcome === 'exited' && result.exitCode === 0 && !result.timedOut
}

function realFolder(folder: string, log: Logger): string[] {
  try {
    return [realpathSync(folder)]
  } catch (error) {
    log.warn(`[exc] write: ${folder} is ignored: ${reasonOf(error)}`)
    return []
  }
}
