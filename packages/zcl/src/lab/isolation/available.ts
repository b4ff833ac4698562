// Finds out which isolation works on this machine, by using it once per process.
import { oneLine } from '@zee/core/errors'
import { runProcess } from '@zee/core/process'
import { zclError } from '../../errors/errors.ts'
import { findOnPath } from '../../programs/programs.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type IsolationTool = 'bwrap' | 'unshare' | 'docker' | 'podman'

const probes: Record<'bwrap' | 'unshare', readonly string[]> = {
  bwrap: ['bwrap', '--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', 'true'],
  unshare: [
    ...['unshare', '--user', '--map-root-user', '--mount', '--pid', '--net', '--fork'],
    ...['sh', '-c', 'mount -t tmpfs t /tmp && mount -t proc proc /proc && command -v pivot_root'],
  ],
}

const cache = new Map<string, Promise<IsolationTool>>()

/** The first tool that works; throws ZCL_E_ISOLATION_UNAVAILABLE with the reasons. */
export function availableTool(
  isolation: 'namespace' | 'container',
  env: Environment,
  engine?: 'docker' | 'podman',
): Promise<IsolationTool> {
  const key = `${isolation} ${engine ?? ''} ${env.PATH ?? ''}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const found = isolation === 'namespace' ? namespaceTool(env) : containerTool(env, engine)
  cache.set(key, found)
  return found
}

async function namespaceTool(env: Environment): Promise<IsolationTool> {
  const reasons: string[] = []
  for (const tool of ['bwrap', 'unshare'] as const) {
    const reason = await failureOf(probes[tool], env)
    if (reason === undefined) return tool
    reasons.push(`${tool}: ${reason}`)
  }
  throw unavailable('namespace', reasons)
}

async function containerTool(
  env: Environment,
  engine: 'docker' | 'podman' | undefined,
): Promise<IsolationTool> {
  const reasons: string[] = []
  for (const tool of engine === undefined ? (['docker', 'podman'] as const) : [engine]) {
    const reason = await failureOf([tool, 'info'], env)
    if (reason === undefined) return tool
    reasons.push(`${tool}: ${reason}`)
  }
  throw unavailable('container', reasons)
}

/** Throws if the engine does not have the image: zcl never downloads one. */
export async function requireImage(
  engine: IsolationTool,
  image: string,
  env: Environment,
): Promise<void> {
  const reason = await failureOf([engine, 'image', 'inspect', image], env)
  if (reason === undefined) return
  throw unavailable('container', [`${engine} has no image ${image}; pull it first`])
}

const probeTimeoutMs = 20_000

async function failureOf(words: readonly string[], env: Environment): Promise<string | undefined> {
  const [command = '', ...args] = words
  if (findOnPath(command, env) === undefined) return 'not installed'
  const ran = await runProcess({
    command,
    args,
    env: { ...env },
    captureBytes: 4096,
    deadlineMs: probeTimeoutMs,
  })
  if (ran.outcome === 'exited' && ran.exitCode === 0) return undefined
  const text = oneLine(ran.stderr.text().trim()).slice(0, 200)
  return text === '' ? (ran.error ?? `exit code ${ran.exitCode}`) : text
}

function unavailable(isolation: string, reasons: readonly string[]): Error {
  const message = `isolation: ${isolation} is not available (${reasons.join('; ')})`
  return zclError('ZCL_E_ISOLATION_UNAVAILABLE', message)
}
