// A task for a sub-agent: a loop of its own, with its prompt, its tools and its examples. Its answers and
// results are recorded, so that a restarted agr continues where it was. Sub-agents do not nest.
import { executorForFunction, isServerTool } from '../../definitions/definitions.ts'
import type { Skill, SubAgent } from '../../definitions/definitions.ts'
import type { ExecutionFacts, RecordedCall } from '../../turns/turns.ts'
import { inferenceOf } from './backends.ts'
import { readInterrupt } from './interrupt.ts'
import type { Run } from './loop.ts'
import { hashMessages } from './message-hash.ts'
import type { Segment } from './stream-parser.ts'
import { StreamParser } from './stream-parser.ts'
import { TurnText } from './turn-text.ts'

export interface SubAgentCall {
  run: Run
  /** Number of the task within its turn. */
  number: number
  skill: Skill & { agent: SubAgent }
  request: string
  /** Runs code with an executor, or a tool of an MCP server; `call` is unique within the turn. */
  execute(executor: string, code: string, call: number): Promise<StepResult>
}

/** Numbers of the calls of sub-agents lie above those of the turn. */
const taskStride = 1_000_000
const stepStride = 1000
const maxCallsPerStep = 100

interface StepResult {
  text: string
  execution: ExecutionFacts | undefined
}

/** The recorded result of a call of a sub-agent; undefined for other numbers. */
export function recordedStepResult(
  calls: readonly RecordedCall[],
  call: number,
): StepResult | undefined {
  const task = Math.floor(call / taskStride) - 1
  const step = calls[task]?.steps?.[Math.floor((call % taskStride) / stepStride)]
  const text = step?.results[call % stepStride]
  return text === undefined ? undefined : { text, execution: step?.executions?.[call % stepStride] }
}

/** Resolves to the final answer. */
export async function runSubAgent(task: SubAgentCall): Promise<string> {
  const { run, number, skill, request } = task
  const { system, examples } = skill.agent
  const messages: object[] = [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...examples,
    { role: 'user', content: request },
  ]
  let last = ''
  for (let step = 0; step < run.definitions.subAgentIterations; step += 1) {
    run.signal.throwIfAborted()
    const text = await answerOf(task, step, messages)
    const turn = new TurnText()
    for (const segment of segmentsOf(text)) {
      if (segment.kind === 'text') turn.addText(segment.text)
      else turn.addCall(segment.tag, segment.content, await resultOf(task, step, segment, turn))
    }
    if (turn.calls === 0) return text
    messages.push(turn.toMessage())
    last = turn.joined()
  }
  run.signal.throwIfAborted()
  return last === '' ? `the sub-agent of task ${number} gave no answer` : last
}

/** The recorded answer, or a new one. */
async function answerOf(
  { run, number }: SubAgentCall,
  step: number,
  messages: readonly object[],
): Promise<string> {
  const recorded = run.journal.calls[number]?.steps?.[step]
  if (recorded !== undefined) return recorded.text
  let text = ''
  const answer = run.backends.infer(messages, false, 'sub_agent')
  for await (const piece of answer.text) text += piece
  const inference = inferenceOf('sub_agent', hashMessages(messages), text, answer)
  run.journal.addInference({ ...inference, call: number })
  run.journal.addStep(number, text)
  return text
}

function segmentsOf(text: string): Segment[] {
  const parser = new StreamParser()
  return [...parser.push(text), ...parser.end()]
}

async function resultOf(
  task: SubAgentCall,
  step: number,
  block: Extract<Segment, { kind: 'block' }>,
  turn: TurnText,
): Promise<string> {
  const { run, number } = task
  const recorded = run.journal.calls[number]?.steps?.[step]?.results[turn.calls]
  if (recorded !== undefined) return recorded
  const { text, execution } = await execute(task, step, block, turn.calls)
  run.journal.addStepResult(number, text, execution)
  return text
}

async function execute(
  { run, number, skill, execute: executeCode }: SubAgentCall,
  step: number,
  { tag, content }: Extract<Segment, { kind: 'block' }>,
  index: number,
): Promise<StepResult> {
  const refuse = (text: string): StepResult => ({ text, execution: undefined })
  if (index >= maxCallsPerStep) {
    return refuse(`Error: At most ${maxCallsPerStep} calls in one answer.`)
  }
  const { servers, tools } = run.definitions
  const interrupt = readInterrupt(tag, content, (name) => isServerTool(servers, name))
  if (interrupt.kind === 'invalid') return refuse(interrupt.text)
  if (interrupt.kind === 'task') return refuse('Error: A sub-agent cannot delegate tasks.')
  const { function: name } = interrupt
  const call = (number + 1) * taskStride + step * stepStride + index
  const isListed = (each: string): boolean => skill.agent.tools.includes(each)
  const notAllowed = refuse(`Error: Tool '${name}' not allowed for this sub-agent.`)
  if (interrupt.kind === 'server_call') {
    return isListed(name) ? executeCode(name, JSON.stringify(interrupt.args), call) : notAllowed
  }
  const executor = executorForFunction(tools, name)
  if (executor === undefined || !(isListed(executor) || isListed(name))) return notAllowed
  if (interrupt.code.trim() === '') return refuse('Error: Empty code block.')
  return executeCode(executor, interrupt.code, call)
}
