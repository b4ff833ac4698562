// Where snapshots of indexes lie: in the user's cache folder, one file for each root. Never below the root
// itself, where nothing is ever written.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { snapshotName } from '@zee/corpus'

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
export function snapshotPlace(
  root: string,
  env: Environment,
): { file: string } | { reason: string } {
  const folder = snapshotFolder(env)
  if (folder === undefined) return { reason: 'neither XDG_CACHE_HOME nor HOME is set' }
  const real = realPlace(root)
  const below = path.relative(real, realPlace(folder))
  if (below !== '..' && !below.startsWith('../')) {
    return { reason: `${folder} lies in the root; XDG_CACHE_HOME may name another folder` }
  }
  return { file: path.join(folder, snapshotName(real)) }
}

/** Without links, as far as it is there. */
export function realPlace(place: string): string {
  try {
    return realpathSync.native(place)
  } catch {
    const parent = path.dirname(place)
    return parent === place ? place : path.join(realPlace(parent), path.basename(place))
  }
}
