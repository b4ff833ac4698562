// Finds the project of a working folder: the top level of its git repository, else the folder itself.
// Only looks for `.git` and starts no program, because a repository may be hostile. Also finds the folder
// where sessions of all projects are stored.
import { lstatSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The canonical path of the project. A missing folder is returned as an absolute path. */
export function projectRoot(folder: string): string {
  const canonical = realpathOrSelf(path.resolve(folder))
  return gitTopLevel(canonical) ?? canonical
}

/** The closest folder at or above `folder` that holds `.git`; undefined outside a repository. */
export function gitTopLevel(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (isRepository(current)) return current
    if (current === path.dirname(current)) return undefined
  }
}

/** Same rule as git's `safe.directory`: the repository of another user is not a project. */
function isRepository(folder: string): boolean {
  try {
    const stats = lstatSync(path.join(folder, '.git'))
    const user = process.getuid?.() ?? stats.uid
    return (stats.isDirectory() || stats.isFile()) && (user === 0 || stats.uid === user)
  } catch {
    return false
  }
}

function realpathOrSelf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** `$ZDX_HOME`, else `$XDG_CONFIG_HOME/zdx`, else `~/.config/zdx`; an empty variable counts as unset. */
export function baseFolder(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  if (env.ZDX_HOME) return path.resolve(cwd, env.ZDX_HOME)
  if (env.XDG_CONFIG_HOME) return path.resolve(cwd, env.XDG_CONFIG_HOME, 'zdx')
  return path.join(env.HOME || os.userInfo().homedir, '.config/zdx')
}

export function sessionsFolder(base: string): string {
  return path.join(base, 'sessions')
}
