// What a block in the model's text asks for. Whatever is wrong with it becomes a sentence for the
// model: a bad call never ends a run.
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { BlockTag } from './stream-parser.ts'

export interface ToolCall {
  kind: 'tool_call'
  function: string
  code: string
}

export interface Task {
  kind: 'task'
  skill: string
  request: string
}

/** Told to the model in place of a result. */
export interface BadInterrupt {
  kind: 'bad'
  text: string
}

export function readInterrupt(tag: BlockTag, content: string): ToolCall | Task | BadInterrupt {
  let payload: unknown
  try {
    payload = JSON.parse(content.trim())
  } catch (error) {
    return bad(`Malformed ${tag} JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isMessage(payload)) return bad(`Malformed ${tag} JSON: it must be an object`)
  return tag === 'task' ? readTask(payload) : readToolCall(payload)
}

function readToolCall(payload: Message): ToolCall | BadInterrupt {
  const { name, arguments: args = null } = payload
  if (typeof name !== 'string') return bad('Malformed tool_call JSON: "name" must be a string')
  if (args === null) return { kind: 'tool_call', function: name, code: '' }
  if (!isMessage(args)) return bad('Malformed tool_call JSON: "arguments" must be an object')
  const code = args.code ?? ''
  if (typeof code !== 'string') return bad('Malformed tool_call JSON: "code" must be a string')
  return { kind: 'tool_call', function: name, code }
}

function readTask(payload: Message): Task | BadInterrupt {
  const { skill, request = '' } = payload
  if (typeof skill !== 'string') return bad('Malformed task JSON: "skill" must be a string')
  if (request === null) return { kind: 'task', skill, request: '' }
  if (typeof request !== 'string') return bad('Malformed task JSON: "request" must be a string')
  return { kind: 'task', skill, request }
}

function bad(text: string): BadInterrupt {
  return { kind: 'bad', text }
}
