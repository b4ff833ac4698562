// Executes an interrupt block: a tool call runs its code; a task first goes through interpreter and
// fabricator. Every failure becomes text for the model. Only an abort throws.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Definitions, Skill } from '../../definitions/definitions.ts'
import { executorForFunction } from '../../definitions/definitions.ts'
import type { Message } from '../../wire/wire.ts'
import { fencedCode } from './fenced-code.ts'
import type { Task, ToolCall } from './interrupt.ts'
import { readInterrupt } from './interrupt.ts'
import type { Backends } from './backends.ts'
import { resultText } from './response-block.ts'
import type { BlockTag } from './stream-parser.ts'

const defaultExecutor = 'bash'
/** Separates the request from the draft in the fabricator's prompt ("code requisition"). */
const codeRequisition = ' [KCR] '

export async function executeInterrupt(
  tag: BlockTag,
  content: string,
  definitions: Definitions,
  backends: Backends,
  signal: AbortSignal,
): Promise<string> {
  const interrupt = readInterrupt(tag, content)
  try {
    if (interrupt.kind === 'invalid') return interrupt.text
    if (interrupt.kind === 'task') return await runTask(interrupt, definitions, backends)
    return await runTool(interrupt, definitions, backends)
  } catch (error) {
    signal.throwIfAborted()
    const reason = reasonOf(error)
    return interrupt.kind === 'task' ? `Skill pipeline error: ${reason}` : `Error: ${reason}`
  }
}

async function runTool(
  call: ToolCall,
  { tools }: Definitions,
  backends: Backends,
): Promise<string> {
  const executor = executorForFunction(tools, call.function)
  if (executor === undefined) return `Error: Unknown tool function '${call.function}'`
  if (call.code.trim() === '') return 'Error: Empty code block.'
  return resultText(requireResult(await backends.execute(executor, call.code)))
}

async function runTask(
  { skill: name, request }: Task,
  { skills }: Definitions,
  backends: Backends,
): Promise<string> {
  const skill = skills.get(name)
  if (skill === undefined) return `Error: Unknown skill '${name}'`
  if (request.trim() === '') return 'Error: Empty task request.'
  const draft = await inferText(backends, skill.interpreter, request)
  const answer = await inferText(backends, skill.fabricator, request + codeRequisition + draft)
  const code = fencedCode(answer)
  return resultText(requireResult(await backends.execute(skill.executor ?? defaultExecutor, code)))
}

async function inferText(
  backends: Backends,
  prompt: Skill['interpreter'],
  content: string,
): Promise<string> {
  let answer = ''
  const messages = [...prompt, { role: 'user', content }]
  for await (const text of backends.infer(messages, false)) answer += text
  return answer
}

function requireResult(answer: Message): Message {
  if (answer.type === 'result') return answer
  const reason = typeof answer.message === 'string' ? answer.message : 'no result from exc'
  throw new ZeeError('execution_failed', reason)
}
