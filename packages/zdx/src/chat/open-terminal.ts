// Opens the input of a chat on a terminal with its completions.
import { listSessions } from '@zee/agent'
import { projectRoot } from '@zee/agent/project'
import type { Host } from '@zee/core/exit'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { loadPromptCommands } from '../prompt-commands/prompt-commands.ts'
import { homeFolder, sessionsFolder } from '../settings/settings.ts'
import type { Screen } from '../terminal/terminal.ts'
import { chatCommands, readChatLine } from './commands.ts'
import type { LineSource } from './lines.ts'
import { TerminalInput } from './terminal-input.ts'

export function openTerminalInput(
  host: Host,
  { settings, info }: Conversation,
  interrupts: Interrupts,
  screen: Screen,
): LineSource {
  const defined = () =>
    loadPromptCommands({
      base: settings.base,
      project: projectRoot(info.root),
      home: homeFolder(host.env),
    })
  return new TerminalInput(host, {
    screen,
    base: settings.base,
    interrupts,
    sources: {
      root: info.root,
      commandNames: () => [...chatCommands.keys(), ...defined().keys()],
      sessionIds: () => listSessions(sessionsFolder(settings.base)).map(({ id }) => id),
    },
    isCommand: (line) => readChatLine(line, defined()).type !== 'prompt',
  })
}
