// Undo of shell commands. Loads the code of snapshots before the first command.
import type { SessionWriter } from '@zee/agent'
import type { ShellUndo } from '@zee/agent/undo'
import type { Host } from '@zee/core/exit'
import type { Settings } from '../settings/settings.ts'
import { undoFolder } from '../settings/settings.ts'

interface ShellUndoParts {
  settings: Settings
  root: string
  env: Readonly<Record<string, string | undefined>>
  host: Host
  session: SessionWriter
}

export function lazyShellUndo({ settings, root, env, host, session }: ShellUndoParts): ShellUndo {
  const { base } = settings
  const folder = undoFolder(base, session.id)
  let opened: ShellUndo | undefined
  return {
    beforeCommand: async (command) => {
      const { openShellUndo } = await import('@zee/agent/undo')
      opened ??= openShellUndo({ folder, base, root, env, clock: host.clock, session })
      return opened.beforeCommand(command)
    },
    endTurn: async (signal) => opened?.endTurn(signal),
    takeNotices: () => opened?.takeNotices() ?? [],
  }
}
