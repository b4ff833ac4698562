// The commands of a chat, and the state that they work on.
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'

/** A running chat; a command may replace its conversation. */
export interface Chat {
  host: Host
  interrupts: Interrupts
  conversation: Conversation
  /** Opens another conversation with some options changed; without an id in a new session. */
  open(changed: Partial<Globals>, sessionId: string | undefined): Promise<Conversation>
}

/** By the word after the colon, in the order of the help. */
export const chatCommands: ReadonlyMap<string, { usage: string; summary: string }> = new Map([
  ['q', { usage: ':q', summary: 'quit (also Ctrl+D)' }],
  ['help', { usage: ':help', summary: 'show this help' }],
  ['model', { usage: ':model [name]', summary: 'show or change the model' }],
  ['new', { usage: ':new', summary: 'start a new session' }],
  ['sessions', { usage: ':sessions', summary: 'list the latest sessions' }],
  ['undo', { usage: ':undo', summary: 'undo the file changes of the last turn' }],
  ['handoff', { usage: ':handoff <goal>', summary: 'draft a prompt for a new session' }],
])

/** True for `:word` with a known word and for `!command`; the chat loop handles `:q` itself. */
export function isChatCommand(line: string): boolean {
  if (line.startsWith('!')) return line.length > 1
  const word = /^:([a-z]+)(\s|$)/.exec(line)?.[1]
  return word !== undefined && word !== 'q' && chatCommands.has(word)
}
