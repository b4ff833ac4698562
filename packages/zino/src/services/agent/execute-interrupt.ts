// Executes an interrupt block: a tool call runs its code; a task first goes through interpreter and
// fabricator. Every failure becomes text for the model. Only an abort throws.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Skill, SubAgent } from '../../definitions/definitions.ts'
import { executorForFunction, executorNames, isServerTool } from '../../definitions/definitions.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import { inferenceOf } from './backends.ts'
import { fencedCode } from './fenced-code.ts'
import type { ServerCall, Task, ToolCall } from './interrupt.ts'
import { readInterrupt } from './interrupt.ts'
import type { Run } from './loop.ts'
import { resultText } from './response-block.ts'
import { runSubAgent } from './sub-agent.ts'
import type { Allow } from '../../allow/allow.ts'
import { refusedTool } from '../../allow/allow.ts'
import type { ExecutionFacts, RecordedCall } from '../../turns/turns.ts'
import { hashMessages } from './message-hash.ts'

/** Told to callers that ask for events. */
export interface CallEvents {
  onStart(number: number, tool: string): Promise<void>
  onDone(number: number, tool: string, exitCode: number | undefined): Promise<void>
}

const defaultExecutor = 'bash'
/** Separates the request from the draft in the fabricator's prompt ("code requisition"). */
const codeRequisition = ' [KCR] '

export interface Executed {
  /** For the model. */
  text: string
  execution: ExecutionFacts | undefined
}

/** Executes the recorded call with this number. */
export async function executeInterrupt(run: Run, number: number): Promise<Executed> {
  const call = run.journal.calls[number] as RecordedCall
  const { servers } = run.definitions
  const interrupt = readInterrupt(call.tag, call.content, (name) => isServerTool(servers, name))
  if (interrupt.kind === 'invalid') return { text: interrupt.text, execution: undefined }
  const tool = interrupt.kind === 'task' ? interrupt.skill : interrupt.function
  await run.events.onStart(number, tool)
  const context: CallContext = { run, number, call, execution: undefined }
  try {
    const text = await runInterrupt(context, interrupt)
    return { text, execution: context.execution }
  } catch (error) {
    run.signal.throwIfAborted()
    const reason = reasonOf(error)
    const text = interrupt.kind === 'task' ? `Skill pipeline error: ${reason}` : `Error: ${reason}`
    return { text, execution: context.execution }
  } finally {
    await run.events.onDone(number, tool, context.execution?.exit_code)
  }
}

function runInterrupt(
  context: CallContext,
  interrupt: ToolCall | ServerCall | Task,
): Promise<string> {
  if (interrupt.kind === 'task') return runTask(context, interrupt)
  if (interrupt.kind === 'tool_call') return runTool(context, interrupt)
  const { function: executor, args } = interrupt
  const { allows } = context.run
  return executeCode(context, { executor, code: JSON.stringify(args), allows })
}

interface CallContext {
  run: Run
  number: number
  call: RecordedCall
  execution: ExecutionFacts | undefined
}

async function runTool(context: CallContext, { function: name, code }: ToolCall): Promise<string> {
  const executor = executorForFunction(context.run.definitions.tools, name)
  if (executor === undefined) return `Error: Unknown tool function '${name}'`
  if (code.trim() === '') return 'Error: Empty code block.'
  return executeCode(context, { executor, code, allows: context.run.allows })
}

async function runTask(context: CallContext, { skill: name, request }: Task): Promise<string> {
  const { run, number, call } = context
  const skill = run.definitions.skills.get(name)
  if (skill === undefined) return `Error: Unknown skill '${name}'`
  if (request.trim() === '') return 'Error: Empty task request.'
  const allows = [...run.allows, ...skill.allows]
  if (skill.agent !== undefined) return delegate(context, { ...skill, agent: skill.agent }, request)
  const names = [name, ...executorNames(skill.executor ?? defaultExecutor)]
  const refused = refusedTool(allows, names)
  if (refused !== undefined) return `Error: ${refused}`
  if (call.code === undefined) {
    const draft = await inferText(run, 'interpreter', skill, request)
    const answer = await inferText(run, 'fabricator', skill, request + codeRequisition + draft)
    run.journal.addCode(number, skill.executor ?? defaultExecutor, fencedCode(answer))
  }
  const { executor = defaultExecutor, text = '' } = call.code ?? {}
  return executeCode(context, { executor, code: text, skill: name, allows })
}

/** Runs a skill that is a sub-agent. */
async function delegate(
  context: CallContext,
  skill: Skill & { agent: SubAgent },
  request: string,
): Promise<string> {
  const { run, number } = context
  const allows = [...run.allows, ...skill.allows]
  const names = [skill.name, ...skill.agent.tools.flatMap(executorNames)]
  const refused = refusedTool(allows, names)
  if (refused !== undefined) return `Error: ${refused}`
  const execute = (executor: string, code: string, call: number): Promise<string> =>
    executeCode(context, { executor, code, skill: skill.name, allows, call })
  return runSubAgent({ run, number, skill, request, execute })
}

interface Script {
  executor: string
  code: string
  skill?: string
  allows: readonly Allow[]
  /** The number of the interrupt unless it is given. */
  call?: number
}

async function executeCode(context: CallContext, script: Script): Promise<string> {
  const { executor, code } = script
  const answer = await context.run.backends.execute({ call: context.number, ...script })
  const result = requireResult(answer)
  const { exit_code: exitCode, permission } = result
  context.execution = {
    executor,
    code,
    exit_code: typeof exitCode === 'number' ? exitCode : 0,
    ...(isMessage(permission)
      ? { permission: permission as unknown as ExecutionFacts['permission'] }
      : {}),
  }
  return resultText(result)
}

async function inferText(
  { backends, journal }: Run,
  purpose: 'interpreter' | 'fabricator',
  skill: Skill,
  content: string,
): Promise<string> {
  let text = ''
  const messages = [...skill[purpose], { role: 'user', content }]
  const answer = backends.infer(messages, false, purpose)
  for await (const piece of answer.text) text += piece
  journal.addInference(inferenceOf(purpose, hashMessages(messages), text, answer))
  return text
}

function requireResult(answer: Message): Message {
  if (answer.type === 'result') return answer
  const reason = typeof answer.message === 'string' ? answer.message : 'no result from exc'
  throw new ZeeError('execution_failed', reason)
}
