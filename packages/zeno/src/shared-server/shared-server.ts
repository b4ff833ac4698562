// Where servers that are shared by many clients listen: a Unix socket that only its owner can reach. Its
// usual place follows from the root, so that clients find it without being told.
import { createHash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'

export interface SocketPlace {
  /** Absolute. */
  root: string
  env: Readonly<Record<string, string | undefined>>
}

/** The usual place for a root; undefined where the system has no folder for such things. */
export function usualSocketPath({ root, env }: SocketPlace): string | undefined {
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
