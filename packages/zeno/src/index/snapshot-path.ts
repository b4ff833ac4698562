// Snapshot paths: one file per root in the user's cache folder. Never below the root itself, because zeno
// does not write there.
import path from 'node:path'
import { snapshotName } from '@zee/corpus'
import { isWithin, resolveLinks } from '@zee/core/links'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the folder of all snapshots; undefined without an absolute XDG_CACHE_HOME or HOME. */
export function snapshotFolder({
  XDG_CACHE_HOME: cache,
  HOME: home,
}: Environment): string | undefined {
  if (cache !== undefined && path.isAbsolute(cache)) return path.join(cache, 'zeno')
  return home !== undefined && path.isAbsolute(home) ? path.join(home, '.cache/zeno') : undefined
}

/** Returns the snapshot path of a root, or the reason why there is none. */
export function snapshotPath(
  root: string,
  env: Environment,
): { file: string } | { reason: string } {
  const folder = snapshotFolder(env)
  if (folder === undefined) return { reason: 'neither XDG_CACHE_HOME nor HOME is set' }
  const real = resolveLinks(root)
  if (isWithin(real, resolveLinks(folder))) {
    return { reason: `${folder} is inside the root; set XDG_CACHE_HOME to another folder` }
  }
  return { file: path.join(folder, snapshotName(real)) }
}
