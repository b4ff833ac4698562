// The commands of a chat, how a typed line is understood, and the state that commands work on.
import { oneLine } from '@zee/core/errors'
import { nearestName } from '@zee/core/spelling'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import type { LineSource } from './lines.ts'

/** A running chat; a command may replace its conversation. */
export interface Chat {
  host: Host
  interrupts: Interrupts
  conversation: Conversation
  lines: LineSource
  /** Output of `!!command`, sent with the next prompt. */
  shellOutput: string[]
  /** A line that was read as an answer but is none; the chat reads it next. */
  unread?: string | undefined
  /** Opens another conversation with some options changed; without an id in a new session. */
  open(
    changed: Partial<Globals>,
    sessionId: string | undefined,
    parent?: string,
  ): Promise<Conversation>
}

/** By the word after the colon, in the order of the help. */
export const chatCommands: ReadonlyMap<string, { usage: string; summary: string }> = new Map([
  ['q', { usage: ':q', summary: 'quit (also Ctrl+D)' }],
  ['help', { usage: ':help', summary: 'show this help' }],
  ['model', { usage: ':model [name]', summary: 'show or change the model' }],
  ['new', { usage: ':new', summary: 'start a new session' }],
  ['sessions', { usage: ':sessions', summary: 'list the latest sessions' }],
  ['resume', { usage: ':resume <id>', summary: 'continue another session (Tab completes ids)' }],
  ['undo', { usage: ':undo', summary: 'undo the file changes of the last turn' }],
  ['edit', { usage: ':edit', summary: 'write the prompt in $VISUAL or $EDITOR (also Ctrl+G)' }],
  [
    'mcp',
    {
      usage: ':mcp [server] [prompt|uri] [name=value ...]',
      summary: 'list or use prompts and resources of MCP servers',
    },
  ],
  ['handoff', { usage: ':handoff <goal>', summary: 'draft, edit and start a new session' }],
])

export type ChatLine =
  | { type: 'empty' }
  | { type: 'quit' }
  | { type: 'command'; name: string; rest: string }
  /** A shell command; `shared` output goes to the model with the next prompt. */
  | { type: 'shell'; command: string; isShared: boolean }
  | { type: 'unknown'; message: string }
  | { type: 'prompt'; text: string }

/** Commands that Markdown files define, by name. */
export type PromptCommands = ReadonlyMap<string, { expand(argumentText: string): string }>

/** Understands a line: `:name` is never a prompt, `/name` only if there is no such command. */
export function readChatLine(line: string, defined: PromptCommands = new Map()): ChatLine {
  const text = line.trim()
  if (text === '') return { type: 'empty' }
  if (text === ':q' || text === '/q') return { type: 'quit' }
  const shell = /^!(!?)\s*(\S[\s\S]*)$/.exec(text)
  if (shell !== null) {
    return { type: 'shell', command: shell[2] ?? '', isShared: shell[1] === '!' }
  }
  if (text.startsWith('::')) return { type: 'prompt', text: text.slice(1) }
  const [, sign, name = '', rest = ''] = /^([:/])(\p{L}\S*)(?:\s+([\s\S]*))?$/u.exec(text) ?? []
  if (sign === undefined) return { type: 'prompt', text }
  if (chatCommands.has(name) && name !== 'q') return { type: 'command', name, rest }
  const own = name === 'q' ? undefined : defined.get(name)
  if (own !== undefined) return { type: 'prompt', text: own.expand(rest.trim()) }
  if (sign === '/' && name !== 'q') return { type: 'prompt', text }
  return { type: 'unknown', message: unknownCommand(name, [...defined.keys()]) }
}

const maxShownLength = 60

function unknownCommand(name: string, defined: readonly string[]): string {
  if (name === 'q') return ':q takes no words; :: sends a line that begins with a colon'
  const nearest = nearestName(name, [...chatCommands.keys(), ...defined]) ?? 'help'
  const shown = oneLine(name.slice(0, maxShownLength))
  return `there is no command :${shown}; did you mean :${nearest}? (:: sends a line that begins with a colon)`
}
