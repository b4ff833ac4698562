// Isolation by bubblewrap (`bwrap`).
import type { NetworkAccess } from '@zee/evidence/suite'
import type { View } from './view.ts'

export interface BubblewrapRequest {
  view: View
  cwd: string
  network: NetworkAccess
}

export function bubblewrapCommand(
  command: readonly string[],
  { view, cwd, network }: BubblewrapRequest,
): string[] {
  const mounts = [...view.mounts].sort((a, b) => a.path.length - b.path.length)
  return [
    'bwrap',
    '--die-with-parent',
    // Started by root, bubblewrap would leave its capabilities to the command.
    '--cap-drop',
    'ALL',
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(network === 'host' ? [] : ['--unshare-net']),
    ...view.links.flatMap(([name, target]) => ['--symlink', target, name]),
    ...['--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--proc', '/proc', '--dev', '/dev'],
    ...mounts.flatMap(({ path, isWritable }) => [isWritable ? '--bind' : '--ro-bind', path, path]),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...command,
  ]
}
