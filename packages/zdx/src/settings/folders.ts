// The paths of zdx: configuration, sessions, undo data, and the working folder of the tools.
import type { Host } from '@zee/core/exit'
import { realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Globals } from '../cli/cli.ts'

/** `$ZDX_HOME`, else `$XDG_CONFIG_HOME/zdx`, else `~/.config/zdx`; an empty variable counts as unset. */
export function baseFolder(env: Host['env'], cwd: string): string {
  if (env.ZDX_HOME) return path.resolve(cwd, env.ZDX_HOME)
  if (env.XDG_CONFIG_HOME) return path.resolve(cwd, env.XDG_CONFIG_HOME, 'zdx')
  return path.join(homeFolder(env) ?? os.userInfo().homedir, '.config/zdx')
}

export function homeFolder(env: Host['env']): string | undefined {
  return env.HOME || undefined
}

export function configPath(base: string): string {
  return path.join(base, 'config.toml')
}

export function projectConfigPath(project: string): string {
  return path.join(project, '.zdx/config.toml')
}

export function sessionsFolder(base: string): string {
  return path.join(base, 'sessions')
}

/** The folder with the undo log of a session. */
export function undoFolder(base: string, sessionId: string): string {
  return path.join(base, 'undo', sessionId)
}

/** The canonical path of `--root`. A missing folder is returned as it is; the tools report it. */
export function workingFolder({ cwd }: Host, { root }: Pick<Globals, 'root'>): string {
  const folder = path.resolve(cwd, root)
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
