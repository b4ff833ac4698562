// Carries out what a block asks for: a tool call runs its code, a task goes through interpreter and
// fabricator first. The outcome is text for the model, whatever happens; only giving up throws.
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
/** Stands between a request and its draft when the fabricator is asked for code. */
const codeRequisition = ' [KCR] '

export async function executeInterrupt(
  tag: BlockTag,
  content: string,
  definitions: Definitions,
  neighbours: Backends,
  signal: AbortSignal,
): Promise<string> {
  const interrupt = readInterrupt(tag, content)
  try {
    if (interrupt.kind === 'bad') return interrupt.text
    if (interrupt.kind === 'task') return await runTask(interrupt, definitions, neighbours)
    return await runTool(interrupt, definitions, neighbours)
  } catch (error) {
    signal.throwIfAborted()
    const reason = reasonOf(error)
    return interrupt.kind === 'task' ? `Skill pipeline error: ${reason}` : `Error: ${reason}`
  }
}

async function runTool(
  call: ToolCall,
  { tools }: Definitions,
  neighbours: Backends,
): Promise<string> {
  const executor = executorForFunction(tools, call.function)
  if (executor === undefined) return `Error: Unknown tool function '${call.function}'`
  if (call.code.trim() === '') return 'Error: Empty code block.'
  return resultText(requireResult(await neighbours.execute(executor, call.code)))
}

async function runTask(
  { skill: name, request }: Task,
  { skills }: Definitions,
  neighbours: Backends,
): Promise<string> {
  const skill = skills.get(name)
  if (skill === undefined) return `Error: Unknown skill '${name}'`
  if (request.trim() === '') return 'Error: Empty task request.'
  const draft = await inferText(neighbours, skill.interpreter, request)
  const answer = await inferText(neighbours, skill.fabricator, request + codeRequisition + draft)
  const code = fencedCode(answer)
  return resultText(
    requireResult(await neighbours.execute(skill.executor ?? defaultExecutor, code)),
  )
}

async function inferText(
  neighbours: Backends,
  prompt: Skill['interpreter'],
  content: string,
): Promise<string> {
  let answer = ''
  const messages = [...prompt, { role: 'user', content }]
  for await (const text of neighbours.infer(messages, false)) answer += text
  return answer
}

function requireResult(answer: Message): Message {
  if (answer.type === 'result') return answer
  const reason = typeof answer.message === 'string' ? answer.message : 'no result from exc'
  throw new ZeeError('execution_failed', reason)
}
