// Where servers that are shared by many clients listen: a Unix socket that only its owner can reach. Its
// usual place follows from the root, so that clients find it without being told.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { Engine } from '../engine/engine.ts'
import { isWithin, resolveLinks } from '../paths/paths.ts'

export interface SocketQuery {
  /** Absolute. */
  root: string
  env: Readonly<Record<string, string | undefined>>
}

export interface SharedEngineQuery {
  /** Where to ask instead of the usual place. */
  socket: string | undefined
  /** Absolute. */
  root: string
  /** Files in the root that are not to be found; absolute. */
  hidden: readonly string[]
  /** For when the server goes away. */
  openLocal: () => Engine
}

/** A server that others share; not for one who hides files of his own in the root. */
export async function openSharedEngine(
  { socket, root, hidden, openLocal }: SharedEngineQuery,
  host: Host,
): Promise<Engine | undefined> {
  const place = { root, env: host.env }
  const file = socket === undefined ? defaultSocketPath(place) : path.resolve(host.cwd, socket)
  if (file === undefined || !existsSync(file)) return undefined
  const real = resolveLinks(root)
  if (hidden.some((each) => isWithin(real, resolveLinks(each)))) return undefined
  return (await import('./client.ts')).connectEngine(file, root, openLocal)
}

/** The usual place for a root; undefined where the system has no folder for such things. */
export function defaultSocketPath({ root, env }: SocketQuery): string | undefined {
  const folder = env.XDG_RUNTIME_DIR
  if (folder === undefined || !path.isAbsolute(folder)) return undefined
  return path.join(folder, 'zeno', `${rootHash(root)}.sock`)
}

/** Equal for all names of one folder. */
function rootHash(root: string): string {
  let real = root
  try {
    real = realpathSync.native(root)
  } catch {
    // Whoever opens it will say so.
  }
  return createHash('sha256').update(real).digest('hex').slice(0, 32)
}

/** Whether there is a socket of this user that nobody else can have put there. */
export function isOwnSocket(file: string): boolean {
  const user = process.getuid?.()
  try {
    const [socket, folder] = [lstatSync(file), lstatSync(path.dirname(file))]
    if (!socket.isSocket() || !folder.isDirectory() || socket.uid !== user) return false
    // Others may write to the folder only if they cannot take away what is not theirs.
    const isSafe = (folder.mode & 0o022) === 0 || (folder.mode & 0o1000) !== 0
    return isSafe && (folder.uid === user || folder.uid === 0)
  } catch {
    return false
  }
}
