// Names the rule that caused a refusal of the jail. The kernel only says that a path does not exist or cannot be
// written, and that a network is unreachable.
import path from 'node:path'

interface Output {
  stdout: string
  stderr: string
}

export interface JailLimits {
  paths: readonly string[] | undefined
  hosts: readonly (readonly string[])[] | undefined
  cwd: string
}

const maxScannedLines = 400
const refusedAccess =
  /read-only file system|permission denied|operation not permitted|EROFS|EACCES|EPERM/i
const missingPath =
  /no such file or directory|not found|cannot (?:access|open|stat|create)|ENOENT|FileNotFound/i
const unreachable =
  /network is unreachable|could not resolve|couldn't resolve|name or service not known|name resolution|unable to resolve|connection refused|failed to connect|no route to host|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|unknown host|bad address|couldn't connect|\[allow\.hosts\]|tunnel failed|code 403 from proxy|tunnel connection failed/i
/** A program outside the system folders, such as one in a home folder. */
const missingProgram = /^setpriv: failed to execute/
/** Missing files in these folders are missing on the machine too. */
const systemPath = /^\/(?:usr|bin|sbin|lib\w*|nix|proc|dev\/shm)(?:\/|$)/

/** The lines to append to the error output of a script. */
export function nameRules({ stdout, stderr }: Output, limits: JailLimits): string[] {
  const lines = [...linesOf(stderr), ...linesOf(stdout)]
  const { paths, hosts } = limits
  const isPath = paths !== undefined && lines.some((line) => isPathRefusal(line, paths, limits.cwd))
  const isHost = hosts !== undefined && lines.some((line) => unreachable.test(line))
  return [
    ...(isPath ? [`[allow.paths] scripts of this turn may use ${listed(paths)}`] : []),
    ...(isHost ? [`[allow.hosts] scripts of this turn may reach ${listed(hosts.flat())}`] : []),
  ]
}

function isPathRefusal(line: string, paths: readonly string[], cwd: string): boolean {
  if (refusedAccess.test(line) || missingProgram.test(line)) return true
  if (!missingPath.test(line)) return false
  return pathsIn(line).some((each) => isOutside(path.resolve(cwd, each), paths))
}

/** Words that look like paths; a bare name is relative to a folder that the script chose. */
function pathsIn(line: string): string[] {
  return line.match(/(?:\.{1,2}|~)?\/[^\s:'"‘’`,;()[\]{}<>|]*/g) ?? []
}

function isOutside(file: string, paths: readonly string[]): boolean {
  if (systemPath.test(file)) return false
  return !paths.some((each) => each === '/' || file === each || file.startsWith(`${each}/`))
}

function linesOf(text: string): string[] {
  return text.split('\n', maxScannedLines)
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ')
}
