// What a line of a chat may be besides a prompt, and what such a command works with.
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'

/** A chat that is going on; a command may replace its conversation. */
export interface Chat {
  host: Host
  interrupts: Interrupts
  conversation: Conversation
  /** Another conversation with some options changed, in the session of this id or a new one. */
  open(changed: Partial<Globals>, sessionId: string | undefined): Promise<Conversation>
}

/** By the word behind the colon; the order is that of the help. */
export const chatCommands: ReadonlyMap<string, { usage: string; summary: string }> = new Map([
  ['q', { usage: ':q', summary: 'leave (Ctrl+D does so too)' }],
  ['help', { usage: ':help', summary: 'this text' }],
  ['model', { usage: ':model [name]', summary: 'say or change who is asked' }],
  ['new', { usage: ':new', summary: 'begin a new session' }],
  ['sessions', { usage: ':sessions', summary: 'the latest sessions' }],
  ['undo', { usage: ':undo', summary: 'take back what the last turn did to files' }],
  ['handoff', { usage: ':handoff <goal>', summary: 'draft a prompt for a fresh start' }],
])

/** `:word` for a known word, or `!command`; everything else is for the model. Leaving is not done here. */
export function isChatCommand(line: string): boolean {
  if (line.startsWith('!')) return line.length > 1
  const word = /^:([a-z]+)(\s|$)/.exec(line)?.[1]
  return word !== undefined && word !== 'q' && chatCommands.has(word)
}
