// The paths of zdx: configuration, sessions, undo data, and the working folder of the tools.
import { canonicalOrSelf } from '@zee/agent/project'
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import type { Globals } from '../cli/cli.ts'

export { baseFolder, sessionsFolder } from '@zee/agent/project'

export function homeFolder(env: Host['env']): string | undefined {
  return env.HOME || undefined
}

export function configPath(base: string): string {
  return path.join(base, 'config.toml')
}

export function projectConfigPath(project: string): string {
  return path.join(project, '.zdx/config.toml')
}

/** The tokens of MCP servers that `zdx mcp login` stores. */
export function loginsFile(base: string): string {
  return path.join(base, 'mcp-logins.json')
}

/** The folder with the undo log of a session. */
export function undoFolder(base: string, sessionId: string): string {
  return path.join(base, 'undo', sessionId)
}

/** The page that `zdx view` writes for a session. */
export function pageFile(base: string, sessionId: string): string {
  return path.join(base, 'pages', `${sessionId}.html`)
}

/** The canonical path of `--root`. A missing folder is returned as it is; the tools report it. */
export function workingFolder({ cwd }: Host, { root }: Pick<Globals, 'root'>): string {
  return canonicalOrSelf(path.resolve(cwd, root))
}
