// Executes an interrupt block: a tool call runs its code; a task first goes through interpreter and
// fabricator. Every failure becomes text for the model. Only an abort throws.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Skill } from '../../definitions/definitions.ts'
import { executorForFunction } from '../../definitions/definitions.ts'
import type { Message } from '../../wire/wire.ts'
import type { Backends } from './backends.ts'
import { fencedCode } from './fenced-code.ts'
import type { Task, ToolCall } from './interrupt.ts'
import { readInterrupt } from './interrupt.ts'
import type { Run } from './loop.ts'
import { resultText } from './response-block.ts'
import type { RecordedCall } from './run-journal.ts'

/** Told to callers that ask for events. */
export interface CallEvents {
  onStart(number: number, tool: string): Promise<void>
  onDone(number: number, tool: string, exitCode: number | undefined): Promise<void>
}

const defaultExecutor = 'bash'
/** Separates the request from the draft in the fabricator's prompt ("code requisition"). */
const codeRequisition = ' [KCR] '

/** Executes the recorded call with this number. */
export async function executeInterrupt(run: Run, number: number): Promise<string> {
  const call = run.journal.calls[number] as RecordedCall
  const interrupt = readInterrupt(call.tag, call.content)
  if (interrupt.kind === 'invalid') return interrupt.text
  const tool = interrupt.kind === 'task' ? interrupt.skill : interrupt.function
  await run.events.onStart(number, tool)
  const context = { run, number, call, exitCode: undefined as number | undefined }
  try {
    return await (interrupt.kind === 'task'
      ? runTask(context, interrupt)
      : runTool(context, interrupt))
  } catch (error) {
    run.signal.throwIfAborted()
    const reason = reasonOf(error)
    return interrupt.kind === 'task' ? `Skill pipeline error: ${reason}` : `Error: ${reason}`
  } finally {
    await run.events.onDone(number, tool, context.exitCode)
  }
}

interface CallContext {
  run: Run
  number: number
  call: RecordedCall
  exitCode: number | undefined
}

async function runTool(context: CallContext, { function: name, code }: ToolCall): Promise<string> {
  const executor = executorForFunction(context.run.definitions.tools, name)
  if (executor === undefined) return `Error: Unknown tool function '${name}'`
  if (code.trim() === '') return 'Error: Empty code block.'
  return executeCode(context, executor, code)
}

async function runTask(context: CallContext, { skill: name, request }: Task): Promise<string> {
  const { run, number, call } = context
  const skill = run.definitions.skills.get(name)
  if (skill === undefined) return `Error: Unknown skill '${name}'`
  if (request.trim() === '') return 'Error: Empty task request.'
  if (call.code === undefined) {
    const draft = await inferText(run.backends, skill.interpreter, request)
    const answer = await inferText(
      run.backends,
      skill.fabricator,
      request + codeRequisition + draft,
    )
    run.journal.addCode(number, skill.executor ?? defaultExecutor, fencedCode(answer))
  }
  const { executor = defaultExecutor, text = '' } = call.code ?? {}
  return executeCode(context, executor, text)
}

async function executeCode(context: CallContext, executor: string, code: string): Promise<string> {
  const result = requireResult(await context.run.backends.execute(executor, code, context.number))
  context.exitCode = typeof result.exit_code === 'number' ? result.exit_code : undefined
  return resultText(result)
}

async function inferText(
  backends: Backends,
  prompt: Skill['interpreter'],
  content: string,
): Promise<string> {
  let answer = ''
  const messages = [...prompt, { role: 'user', content }]
  for await (const text of backends.infer(messages, false).text) answer += text
  return answer
}

function requireResult(answer: Message): Message {
  if (answer.type === 'result') return answer
  const reason = typeof answer.message === 'string' ? answer.message : 'no result from exc'
  throw new ZeeError('execution_failed', reason)
}
