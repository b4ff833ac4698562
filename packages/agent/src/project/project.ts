// Finds the project of a working folder: the top level of its git repository, else the folder itself.
// Only looks for `.git` and starts no program, because a repository may be hostile. Also finds the folder
// where sessions of all projects are stored.
import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'

export interface Workplace {
  /** The working folder. */
  root: string
  /** The top level of its git repository; undefined outside a repository. */
  top: string | undefined
  project: string
}

/** All paths are canonical. A missing folder is returned as an absolute path. */
export function findWorkplace(folder: string): Workplace {
  const root = canonicalOrSelf(path.resolve(folder))
  const top = gitTopLevel(root)
  return { root, top, project: top ?? root }
}

/** The canonical path of the project. A missing folder is returned as an absolute path. */
export function projectRoot(folder: string): string {
  return findWorkplace(folder).project
}

/** The closest folder at or above `folder` that holds `.git`; undefined outside a repository. */
function gitTopLevel(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (isRepository(current)) return current
    if (current === path.dirname(current)) return undefined
  }
}

/** Same rule as git's `safe.directory`: the repository of another user is not a project. */
function isRepository(folder: string): boolean {
  try {
    const stats = lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false })
    if (stats === undefined) return false
    const user = process.getuid?.() ?? stats.uid
    return (stats.isDirectory() || stats.isFile()) && (user === 0 || stats.uid === user)
  } catch {
    return false
  }
}

/** The canonical path, or the given one if it cannot be resolved. */
export function canonicalOrSelf(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}

/** `$ZDX_HOME`, else `$XDG_CONFIG_HOME/zdx`, else `~/.config/zdx`; an empty variable counts as unset. */
export function baseFolder(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  if (env.ZDX_HOME) return path.resolve(cwd, env.ZDX_HOME)
  if (env.XDG_CONFIG_HOME) return path.resolve(cwd, env.XDG_CONFIG_HOME, 'zdx')
  return path.join(env.HOME || userHome(), '.config/zdx')
}

/** Loads `node:os` only without HOME: it slows a start. */
function userHome(): string {
  return process.getBuiltinModule('node:os').userInfo().homedir
}

export function sessionsFolder(base: string): string {
  return path.join(base, 'sessions')
}
