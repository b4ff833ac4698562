// The jail of scripts: a command line that runs a script in namespaces of its own. With capabilities it has
// only the granted paths and no sockets of zino; `[exc] write` alone restricts what it may write. Probes once
// whether this machine can do it.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { runProcess } from '@zee/core/process'
import { isOnPath } from '../on-path.ts'
import type { CommandLine } from '../sandbox.ts'
import { forwarderScript } from './forwarder.ts'
import { jailScript } from './script.ts'

export { environmentIn } from './environment.ts'
export type { HostLists, HostProxy } from './host-proxy.ts'
export { openHostProxy } from './host-proxy.ts'
export { nameRules } from './name-rules.ts'
export { listeningSockets } from './sockets.ts'

export interface JailSpec {
  /** The only paths that scripts see besides the system folders; undefined: all. */
  paths: readonly string[] | undefined
  /** Folders of `[exc] write`; undefined: scripts may write to all that they see. */
  write: readonly string[] | undefined
  /** Scripts see the processes of the machine, and are no first process that ignores signals. */
  seesProcesses?: boolean | undefined
  /** Whether scripts may use the network. */
  network: boolean
  /** A proxy that is the only way to the network, and ports of this machine to offer as they are. */
  proxy?: { socket: string; offered: readonly string[] } | undefined
  /** Paths that no script sees: the files and sockets of zino. */
  masked: readonly string[]
  /** Paths that no script may change: the definitions of zino. */
  fixed: readonly string[]
}

/** Folders with programs and libraries; a link among them is recreated. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix']
const systemFiles = ['/etc/alternatives', '/etc/ssl/certs', '/etc/pki', '/etc/ca-certificates']
const probeDeadlineMs = 10_000

/** The command line that runs `inner` on the script inside the jail. */
export function jailed(
  spec: JailSpec,
  script: string,
  cwd: string,
  inner: CommandLine,
): CommandLine {
  const grants = spec.paths?.flatMap(realPath)
  const write = spec.write?.flatMap(realPath) ?? ['/']
  const writable = grants?.filter((grant) => isBelowAny(grant, write)) ?? write
  const readable = grants?.filter((grant) => !writable.includes(grant)) ?? []
  const lists = [
    [...systemFolders, ...systemFiles],
    [...readable, ...(spec.proxy === undefined ? [] : [spec.proxy.socket])],
    writable,
    outermost(spec.masked.flatMap(realPath)).filter((each) => each !== spec.proxy?.socket),
    spec.fixed.flatMap(realPath),
    forwarderLine(spec),
  ]
  const mode = grants === undefined ? 'masked' : 'root'
  const args = [
    ...['--user', '--map-root-user', '--mount'],
    ...(spec.seesProcesses === true ? [] : ['--pid', '--fork', '--kill-child']),
    ...(spec.network ? [] : ['--net', '--ipc']),
    ...['--', 'sh', '-c', jailScript, 'sh', mode, script, workFolder(cwd, grants)],
    ...lists.flatMap((list) => [String(list.length), ...list]),
    ...[inner.command, ...inner.args],
  ]
  return { command: 'unshare', args }
}

function forwarderLine({ proxy }: JailSpec): string[] {
  if (proxy === undefined) return []
  return [process.execPath, forwarderScript, proxy.socket, ...proxy.offered]
}

/** Undefined when the jail works, else the reason. */
export async function probeJail(env: Record<string, string>): Promise<string | undefined> {
  for (const command of ['unshare', 'mount', 'setpriv', 'pivot_root']) {
    if (!isOnPath(command, env.PATH)) return `${command} is not installed`
  }
  const spec = { paths: [], write: undefined, network: false, masked: [], fixed: [] }
  const line = jailed(spec, '/dev/null', '/', { command: 'true', args: [] })
  const result = await runProcess({ ...line, env, deadlineMs: probeDeadlineMs, captureBytes: 1000 })
  if (result.outcome === 'exited' && result.exitCode === 0) return undefined
  const reason = Buffer.from(result.stderr.capture).toString('utf8').trim().split('\n')[0]
  return reason || 'unshare does not work'
}

/** The folder that a script starts in: that of exc if it is granted, else the first granted one. */
function workFolder(cwd: string, grants: readonly string[] | undefined): string {
  if (grants === undefined) return cwd
  const real = realPath(cwd)[0] ?? cwd
  return isBelowAny(real, grants) ? real : (grants[0] ?? '/')
}

/** Without links; nothing for a path that does not exist, or that the script cannot express. */
function realPath(given: string): string[] {
  try {
    const real = realpathSync(given)
    return real.includes('\n') ? [] : [real]
  } catch {
    return []
  }
}

function outermost(paths: readonly string[]): string[] {
  const distinct = [...new Set(paths)]
  return distinct.filter((each) => !isBelowAny(path.dirname(each), distinct))
}

export function isBelowAny(file: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => folder === '/' || file === folder || file.startsWith(`${folder}/`),
  )
}
