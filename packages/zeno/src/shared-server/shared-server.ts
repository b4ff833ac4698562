// Finds the shared server of a root. It listens on a Unix socket that only its owner can reach; the default
// path is derived from the root, so clients need no configuration.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { Engine } from '../engine/engine.ts'
import { isWithin, resolveLinks } from '@zee/core/links'

export interface SocketQuery {
  /** Absolute. */
  root: string
  env: Readonly<Record<string, string | undefined>>
}

export interface SharedEngineQuery {
  /** Socket to use instead of the default path. */
  socket: string | undefined
  /** Absolute. */
  root: string
  /** Absolute paths of files to hide from listings and searches. */
  hidden: readonly string[]
  /** Opens the fallback engine when the server goes away. */
  openLocal: () => Engine
}

/** Connects to the shared server; undefined if there is none, or if `hidden` files are below the root. */
export async function openSharedEngine(
  { socket, root, hidden, openLocal }: SharedEngineQuery,
  host: Host,
): Promise<Engine | undefined> {
  const query = { root, env: host.env }
  const file = socket === undefined ? defaultSocketPath(query) : path.resolve(host.cwd, socket)
  if (file === undefined || !existsSync(file)) return undefined
  const real = resolveLinks(root)
  if (hidden.some((each) => isWithin(real, resolveLinks(each)))) return undefined
  return (await import('./client.ts')).connectEngine(file, root, openLocal)
}

/** Returns the default socket path of a root; undefined without an absolute XDG_RUNTIME_DIR. */
export function defaultSocketPath({ root, env }: SocketQuery): string | undefined {
  const folder = env.XDG_RUNTIME_DIR
  if (folder === undefined || !path.isAbsolute(folder)) return undefined
  return path.join(folder, 'zeno', `${rootHash(root)}.sock`)
}

/** Hashes the resolved path, so that every name of a folder gives the same hash. */
function rootHash(root: string): string {
  let real = root
  try {
    real = realpathSync.native(root)
  } catch {
    // A missing root is reported when the engine opens it.
  }
  return createHash('sha256').update(real).digest('hex').slice(0, 32)
}

/** Reports whether `file` is a socket that only this user can have created. */
export function isOwnSocket(file: string): boolean {
  const user = process.getuid?.()
  try {
    const [socket, folder] = [lstatSync(file), lstatSync(path.dirname(file))]
    if (!socket.isSocket() || !folder.isDirectory() || socket.uid !== user) return false
    // A folder writable by others is safe only with the sticky bit: they cannot replace the socket.
    const isSafe = (folder.mode & 0o022) === 0 || (folder.mode & 0o1000) !== 0
    return isSafe && (folder.uid === user || folder.uid === 0)
  } catch {
    return false
  }
}
