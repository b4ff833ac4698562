// Parses an interrupt block. An invalid block becomes an error text for the model; it never ends a run.
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { BlockTag } from './stream-parser.ts'

export interface ToolCall {
  kind: 'tool_call'
  function: string
  code: string
}

/** A tool of an MCP server; the server checks the arguments. */
export interface ServerCall {
  kind: 'server_call'
  function: string
  args: Message
}

export interface Task {
  kind: 'task'
  skill: string
  request: string
}

/** `text` is sent to the model instead of a result. */
export interface InvalidInterrupt {
  kind: 'invalid'
  text: string
}

export type Interrupt = ToolCall | ServerCall | Task | InvalidInterrupt

export function readInterrupt(
  tag: BlockTag,
  content: string,
  isServerTool: (name: string) => boolean,
): Interrupt {
  let payload: unknown
  try {
    payload = JSON.parse(content.trim())
  } catch (error) {
    return invalid(
      `Malformed ${tag} JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (!isMessage(payload)) return invalid(`Malformed ${tag} JSON: it must be an object`)
  return tag === 'task' ? readTask(payload) : readToolCall(payload, isServerTool)
}

function readToolCall(
  payload: Message,
  isServerTool: (name: string) => boolean,
): ToolCall | ServerCall | InvalidInterrupt {
  const { name, arguments: args = null } = payload
  if (typeof name !== 'string') return invalid('Malformed tool_call JSON: "name" must be a string')
  if (args !== null && !isMessage(args)) {
    return invalid('Malformed tool_call JSON: "arguments" must be an object')
  }
  if (isServerTool(name)) return { kind: 'server_call', function: name, args: args ?? {} }
  if (args === null) return { kind: 'tool_call', function: name, code: '' }
  const code = args.code ?? ''
  if (typeof code !== 'string') return invalid('Malformed tool_call JSON: "code" must be a string')
  return { kind: 'tool_call', function: name, code }
}

function readTask(payload: Message): Task | InvalidInterrupt {
  const { skill, request = '' } = payload
  if (typeof skill !== 'string') return invalid('Malformed task JSON: "skill" must be a string')
  if (request === null) return { kind: 'task', skill, request: '' }
  if (typeof request !== 'string') return invalid('Malformed task JSON: "request" must be a string')
  return { kind: 'task', skill, request }
}

function invalid(text: string): InvalidInterrupt {
  return { kind: 'invalid', text }
}
