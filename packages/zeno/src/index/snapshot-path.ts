// Where snapshots of indexes lie: in the user's cache folder, one file for each root. Never below the root
// itself, where nothing is ever written.
import path from 'node:path'
import { snapshotName } from '@zee/corpus'
import { isWithin, resolveLinks } from '../paths/paths.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of all snapshots; undefined when the user has no folder for such things. */
export function snapshotFolder({
  XDG_CACHE_HOME: cache,
  HOME: home,
}: Environment): string | undefined {
  if (cache !== undefined && path.isAbsolute(cache)) return path.join(cache, 'zeno')
  return home !== undefined && path.isAbsolute(home) ? path.join(home, '.cache/zeno') : undefined
}

/** The snapshot's place for a root, or why there is none. */
export function snapshotPath(
  root: string,
  env: Environment,
): { file: string } | { reason: string } {
  const folder = snapshotFolder(env)
  if (folder === undefined) return { reason: 'neither XDG_CACHE_HOME nor HOME is set' }
  const real = resolveLinks(root)
  if (isWithin(real, resolveLinks(folder))) {
    return { reason: `${folder} lies in the root; XDG_CACHE_HOME may name another folder` }
  }
  return { file: path.join(folder, snapshotName(real)) }
}
