// Isolation by `unshare` of util-linux: a script builds a new root in a mount namespace, enters it, and
// starts the command in a second user namespace, in which it cannot change the mounts any more.
import { readFileSync } from 'node:fs'
import { shellQuoted } from '@zee/evidence/attempt'
import type { NetworkAccess } from '@zee/evidence/suite'
import type { Mount, View } from './view.ts'

export interface UnshareRequest {
  view: View
  /** An empty folder on which the new root is mounted. */
  root: string
  cwd: string
  network: NetworkAccess
  /** Runs inside before the command, such as the forwarders of funnels. */
  prologue: string
}

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty']
const tmpBytes = '1g'

/** The command line that runs `command` isolated. */
export function unshareCommand(command: readonly string[], request: UnshareRequest): string[] {
  const flags = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--fork']
  const net = request.network === 'host' ? [] : ['--net']
  const script = rootScript(request)
  return ['unshare', ...flags, ...net, '--kill-child', '--', 'sh', '-c', script, 'sh', ...command]
}

function rootScript({ view, root, cwd, network, prologue }: UnshareRequest): string {
  const inside = (file: string) => shellQuoted(root + file)
  const mounts = [...view.mounts].sort((a, b) => a.path.length - b.path.length)
  return [
    'set -e',
    `mount -t tmpfs -o mode=755,size=64m zcl ${shellQuoted(root)}`,
    ...view.links.map(([name, target]) => `ln -s ${shellQuoted(target)} ${inside(name)}`),
    `mkdir -p ${['/tmp', '/proc', '/dev/shm', '/var/tmp', '/.outside'].map(inside).join(' ')}`,
    `mount -t tmpfs -o mode=1777,size=${tmpBytes} tmp ${inside('/tmp')}`,
    ...mounts.flatMap((mount) => mountLines(mount, root)),
    ...devices.map((name) => {
      const file = `/dev/${name}`
      return `if [ -e ${file} ]; then : > ${inside(file)}; mount --bind ${file} ${inside(file)}; fi`
    }),
    `mount -t tmpfs -o mode=1777,size=64m shm ${inside('/dev/shm')}`,
    `ln -s /proc/self/fd ${inside('/dev/fd')}; ln -s /proc/self/fd/0 ${inside('/dev/stdin')}`,
    `ln -s /proc/self/fd/1 ${inside('/dev/stdout')}; ln -s /proc/self/fd/2 ${inside('/dev/stderr')}`,
    `mount -t proc proc ${inside('/proc')}`,
    ...(network === 'loopback' || network === 'funnel-only' ? [loopbackUp] : []),
    `cd ${shellQuoted(root)}`,
    'pivot_root . .outside',
    'cd /',
    'umount -l /.outside',
    'rmdir /.outside',
    'mount -o remount,ro /',
    `cd ${shellQuoted(cwd)}`,
    prologue,
    `exec unshare --user --map-user=${userId()} --map-group=${groupId()} -- sh -c ${shellQuoted(initScript)} sh "$@"`,
  ].join('\n')
}

/**
 * The first process of the namespace. It passes TERM on, because the kernel ignores signals for it, and
 * when it ends, the kernel ends every process that the command left.
 */
export const initScript = [
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

const loopbackUp =
  '{ ip link set lo up || ifconfig lo up || perl -e \'socket(S,2,2,0) && ioctl(S,0x8914,pack("a16s","lo",0x41)) or die\'; } 2>/dev/null'

function mountLines({ path: file, isWritable, isFile }: Mount, root: string): string[] {
  const target = shellQuoted(root + file)
  const make = isFile
    ? `mkdir -p ${shellQuoted(root + file.slice(0, file.lastIndexOf('/')))}; [ -e ${target} ] || : > ${target}`
    : `mkdir -p ${target}`
  const bind = `mount --rbind ${shellQuoted(file)} ${target}`
  if (isWritable) return [make, bind]
  return [make, bind, `mount -o remount,bind,${['ro', ...lockedFlags(file)].join(',')} ${target}`]
}

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
