// Executes an interrupt block: a tool call runs its code; a task first goes through interpreter and
// fabricator. Every failure becomes text for the model. Only an abort throws, and the loss of a service during
// a call of a turn.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { interruptedCode, lostCode } from '../../client/client.ts'
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

/** Text for the model, without a script. */
function withoutScript(text: string): Executed {
  return { text, execution: undefined }
}

/** Executes the recorded call with this number. */
export async function executeInterrupt(run: Run, number: number): Promise<Executed> {
  const call = run.journal.calls[number] as RecordedCall
  const { servers } = run.definitions
  const interrupt = readInterrupt(call.tag, call.content, (name) => isServerTool(servers, name))
  if (interrupt.kind === 'invalid') return withoutScript(interrupt.text)
  const tool = interrupt.kind === 'task' ? interrupt.skill : interrupt.function
  await run.events.onStart(number, tool)
  const executed = await runInterrupt({ run, number, call }, interrupt).catch((error: unknown) => {
    run.signal.throwIfAborted()
    if (isLoss(error, run)) throw error
    const reason = reasonOf(error)
    return withoutScript(
      interrupt.kind === 'task' ? `Skill pipeline error: ${reason}` : `Error: ${reason}`,
    )
  })
  await run.events.onDone(number, tool, executed.execution?.exit_code)
  return executed
}

/** Whether a service died in mid-call, so that a resumed turn repeats or finishes the call. */
function isLoss(error: unknown, { journal }: Run): boolean {
  if (!(error instanceof ZeeError)) return false
  return error.code === interruptedCode || (error.code === lostCode && journal.isKept)
}

function runInterrupt(
  context: CallContext,
  interrupt: ToolCall | ServerCall | Task,
): Promise<Executed> {
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
}

async function runTool(
  context: CallContext,
  { function: name, code }: ToolCall,
): Promise<Executed> {
  const executor = executorForFunction(context.run.definitions.tools, name)
  if (executor === undefined) return withoutScript(`Error: Unknown tool function '${name}'`)
  if (code.trim() === '') return withoutScript('Error: Empty code block.')
  return executeCode(context, { executor, code, allows: context.run.allows })
}

async function runTask(context: CallContext, { skill: name, request }: Task): Promise<Executed> {
  const { run, number, call } = context
  const skill = run.definitions.skills.get(name)
  if (skill === undefined) return withoutScript(`Error: Unknown skill '${name}'`)
  if (request.trim() === '') return withoutScript('Error: Empty task request.')
  const allows = [...run.allows, ...skill.allows]
  if (skill.agent !== undefined) return delegate(context, { ...skill, agent: skill.agent }, request)
  const names = [name, ...executorNames(skill.executor ?? defaultExecutor)]
  const refusal = refusedTool(allows, names)
  if (refusal !== undefined) return withoutScript(`Error: ${refusal}`)
  if (call.code === undefined) {
    const draft = await inferText(context, 'interpreter', skill, request)
    const requisition = request + codeRequisition + draft
    const answer = await inferText(context, 'fabricator', skill, requisition)
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
): Promise<Executed> {
  const { run, number } = context
  const allows = [...run.allows, ...skill.allows]
  const names = [skill.name, ...skill.agent.tools.flatMap(executorNames)]
  const refusal = refusedTool(allows, names)
  if (refusal !== undefined) return withoutScript(`Error: ${refusal}`)
  const execute = (executor: string, code: string, call: number): Promise<Executed> =>
    executeCode(context, { executor, code, skill: skill.name, allows, call })
  // Its scripts are recorded with its steps.
  return withoutScript(await runSubAgent({ run, number, skill, request, execute }))
}

interface Script {
  executor: string
  code: string
  skill?: string
  allows: readonly Allow[]
  /** The number of the interrupt unless it is given. */
  call?: number
}

async function executeCode(context: CallContext, script: Script): Promise<Executed> {
  const { executor, code } = script
  const answer = await context.run.backends.execute({ call: context.number, ...script })
  const result = requireResult(answer)
  const { exit_code: exitCode, permission } = result
  const execution: ExecutionFacts = {
    executor,
    code,
    exit_code: typeof exitCode === 'number' ? exitCode : 0,
    permission: isMessage(permission)
      ? (permission as unknown as ExecutionFacts['permission'])
      : undefined,
  }
  return { text: resultText(result), execution }
}

async function inferText(
  { run: { backends, journal }, number }: CallContext,
  purpose: 'interpreter' | 'fabricator',
  skill: Skill,
  content: string,
): Promise<string> {
  let text = ''
  const messages = [...skill[purpose], { role: 'user', content }]
  const answer = backends.infer(messages, false, purpose)
  for await (const piece of answer.text) text += piece
  const inference = inferenceOf(purpose, hashMessages(messages), text, answer)
  journal.addInference({ ...inference, call: number })
  return text
}

function requireResult(answer: Message): Message {
  if (answer.type === 'result') return answer
  const reason = typeof answer.message === 'string' ? answer.message : 'no result from exc'
  throw new ZeeError('execution_failed', reason)
}
