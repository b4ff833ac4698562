// Isolation by a container of docker or podman. Its image brings the system; Node, zcl and the folders
// of the attempt are mounted at the same paths as outside.
import { delimiter } from 'node:path'
import type { NetworkAccess } from '@zee/evidence/suite'
import type { Mount } from './view.ts'

export interface ContainerRequest {
  engine: 'docker' | 'podman'
  image: string
  /** Without the folders of the system, which the image brings. */
  mounts: readonly Mount[]
  cwd: string
  network: NetworkAccess
  name: string
  env: Readonly<Record<string, string | undefined>>
}

/** Variables that describe the machine outside. */
const outsideVariables = new Set(['PATH', 'HOSTNAME', 'PWD', 'OLDPWD', 'SHLVL', '_'])

export function containerCommand(command: readonly string[], request: ContainerRequest): string[] {
  const { engine, image, mounts, cwd, network, name, env } = request
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  return [
    ...[engine, 'run', '--rm', '--interactive', '--init', '--name', name],
    // Podman maps users only without root, where the user inside would not be the owner of the files.
    ...(engine === 'podman' && user !== 0 ? ['--userns=keep-id'] : ['--user', `${user}:${group}`]),
    ...['--network', network === 'host' ? 'host' : 'none'],
    ...mounts.flatMap(({ path, isWritable }) => [
      '--volume',
      `${path}:${path}${isWritable ? '' : ':ro'}`,
    ]),
    // By name only: the values would be visible in the list of processes.
    ...Object.keys(env).flatMap((key) =>
      env[key] === undefined || outsideVariables.has(key) ? [] : ['--env', key],
    ),
    ...['--workdir', cwd, image],
    ...withOwnPrograms(command, request),
  ]
}

/** The image has a PATH of its own; zcl and the shims of the attempt come before it. */
function withOwnPrograms(
  command: readonly string[],
  { env, mounts }: ContainerRequest,
): readonly string[] {
  const own = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => mounts.some(({ path, isWritable }) => isWritable && isInside(folder, path)))
  if (own.length === 0) return command
  const script = 'PATH=$1:$PATH; export PATH; shift; exec "$@"'
  return ['sh', '-c', script, 'sh', own.join(':'), ...command]
}

function isInside(folder: string, outer: string): boolean {
  return `${folder}/`.startsWith(`${outer}/`)
}
