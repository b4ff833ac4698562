// Isolation by `unshare` of util-linux: a script builds a new root in a mount namespace, enters it, and
// starts the command in a second user namespace, in which it cannot change the mounts any more.
import { readFileSync } from 'node:fs'
import type { NetworkAccess } from '@zee/evidence/suite'
import type { View } from './view.ts'

export interface UnshareRequest {
  view: View
  /** An empty folder on which the new root is mounted. */
  root: string
  cwd: string
  network: NetworkAccess
}

/** The command line that runs `command` isolated. Everything is an argument of fixed scripts. */
export function unshareCommand(command: readonly string[], request: UnshareRequest): string[] {
  const { view, root, cwd, network } = request
  const flags = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--fork']
  const net = network === 'host' ? [] : ['--net']
  const loopback = network === 'loopback' || network === 'funnel-only' ? 'up' : 'down'
  const links = view.links.flatMap(([name, target]) => ['link', name, target])
  const mounts = [...view.mounts]
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap(({ path: file, isWritable, isFile }) => {
      const kind = isFile ? 'file' : 'folder'
      const options = isWritable ? 'rw' : ['remount', 'bind', 'ro', ...lockedFlags(file)].join(',')
      return [kind, file, options]
    })
  const start = ['sh', '-c', rootScript, 'sh', root, cwd, loopback, initScript]
  const ids = [`--map-user=${userId()}`, `--map-group=${groupId()}`]
  return [
    ...['unshare', ...flags, ...net, '--kill-child', '--', ...start],
    ...[...links, ...mounts, 'end', ...ids, ...command],
  ]
}

/**
 * Arguments: the new root, the working folder, whether the loopback interface is up, the script of the
 * first process, then triples of kind, path and options, `end`, two flags of unshare, and the command.
 */
const rootScript = [
  'set -e',
  'root=$1 cwd=$2 loopback=$3 init=$4; shift 4',
  'mount -t tmpfs -o mode=755,size=64m zcl "$root"',
  'mkdir -p "$root/tmp" "$root/proc" "$root/dev/shm" "$root/var/tmp" "$root/.outside"',
  'mount -t tmpfs -o mode=1777,size=1g tmp "$root/tmp"',
  'while [ "$1" != end ]; do',
  '  case $1 in',
  '    link) ln -s "$3" "$root$2" ;;',
  '    file) mkdir -p "$root${2%/*}"; [ -e "$root$2" ] || : > "$root$2" ;;',
  '    folder) mkdir -p "$root$2" ;;',
  '  esac',
  '  if [ "$1" != link ]; then',
  '    mount --rbind "$2" "$root$2"',
  '    [ "$3" = rw ] || mount -o "$3" "$root$2"',
  '  fi',
  '  shift 3',
  'done',
  'shift',
  'for name in null zero full random urandom tty; do',
  '  [ -e "/dev/$name" ] || continue',
  '  : > "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"',
  'done',
  'mount -t tmpfs -o mode=1777,size=64m shm "$root/dev/shm"',
  'ln -s /proc/self/fd "$root/dev/fd"; ln -s /proc/self/fd/0 "$root/dev/stdin"',
  'ln -s /proc/self/fd/1 "$root/dev/stdout"; ln -s /proc/self/fd/2 "$root/dev/stderr"',
  'mount -t proc proc "$root/proc"',
  'if [ "$loopback" = up ]; then',
  '  { ip link set lo up || ifconfig lo up; } 2>/dev/null ||',
  `  perl -e 'socket(S,2,2,0) && ioctl(S,0x8914,pack("a16s","lo",0x41)) or die'`,
  'fi',
  'cd "$root"',
  'pivot_root . .outside',
  'cd /',
  'umount -l /.outside',
  'rmdir /.outside',
  'mount -o remount,ro /',
  'cd "$cwd"',
  'user=$1 group=$2; shift 2',
  'exec unshare --user "$user" "$group" -- sh -c "$init" sh "$@"',
].join('\n')

/**
 * The first process of the namespace. It passes TERM on, because the kernel ignores signals for it, and
 * when it ends, the kernel ends every process that the command left.
 */
const initScript = [
  'exec 3<&0',
  '"$@" <&3 3<&- &',
  'child=$!',
  'exec 3<&- 0</dev/null',
  `trap 'kill -TERM $child 2>/dev/null' TERM INT HUP`,
  'wait $child',
  'code=$?',
  'while kill -0 $child 2>/dev/null; do wait $child; code=$?; done',
  'exit $code',
].join('\n')

let mountTable: { point: string; flags: string[] }[] | undefined

/** The flags that a mount in a user namespace must keep. */
function lockedFlags(file: string): string[] {
  mountTable ??= readMountTable()
  const on = mountTable.filter(
    ({ point }) => file === point || file.startsWith(point === '/' ? '/' : `${point}/`),
  )
  const closest = on.sort((a, b) => b.point.length - a.point.length)[0]
  const kept = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime'])
  return (closest?.flags ?? []).filter((flag) => kept.has(flag))
}

function readMountTable(): { point: string; flags: string[] }[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const fields = line.split(' ')
        const point = (fields[4] ?? '').replace(/\\([0-7]{3})/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 8)),
        )
        return { point, flags: (fields[5] ?? '').split(',') }
      })
  } catch {
    return []
  }
}

function userId(): number {
  return process.getuid?.() ?? 0
}

function groupId(): number {
  return process.getgid?.() ?? 0
}
