// Runs the tool calls of one answer and appends their results to session and history.
import type { Message, ToolCallPart } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, splitImages, toolResultPart } from '../envelope/envelope.ts'
import type { ToolContext } from '../tools/tools.ts'
import { runTool } from '../tools/tools.ts'
import type { Answer, RequestedCall } from './answer.ts'
import { answerParts } from './answer.ts'
import type { AgentEvent } from './events.ts'
import { afterCall, beforeCall } from './guard.ts'
import { noticesOf, undoNotices } from './notices.ts'
import type { CallOutcome, RunCall, Turn } from './options.ts'
import { storedImage } from './records.ts'

/** Runs the calls in sequence; after an interrupt the remaining calls do not run. */
export async function* runCalls(
  turn: Turn,
  calls: readonly RequestedCall[],
): AsyncGenerator<AgentEvent, Envelope[], undefined> {
  for (const { id, name, input } of calls) yield { type: 'tool_requested', id, name, input }
  const results: Envelope[] = []
  await turn.beforeTools?.()
  for (const call of calls) {
    const { refused, notices } = await beforeCall(turn, call.invalid, callPart(call))
    yield* noticesOf(turn, notices)
    yield { type: 'tool_started', id: call.id, name: call.name }
    const { result: open, notices: later } =
      refused === undefined
        ? await afterCall(turn, callPart(call), await runCall(turn, call))
        : { result: refused, notices: [] }
    // A hook may have added context.
    const complete = turn.secrets === undefined ? open : await turn.secrets.hideResult(open)
    const { result, images } = splitImages(complete)
    turn.session?.append({
      type: 'tool_result',
      tool_use_id: call.id,
      output: result,
      ok: result.ok,
      ...(images.length === 0 ? {} : { images: images.map(storedImage) }),
    })
    results.push(complete)
    turn.context?.results.remember(call.id, call.name, call.input, result)
    yield { type: 'tool_finished', id: call.id, result }
    yield* noticesOf(turn, later)
    yield* undoNotices(turn)
    if (turn.signal.aborted) break
  }
  return results
}

async function runCall(turn: Turn, call: RequestedCall): Promise<CallOutcome> {
  const run: RunCall = async (further, env) => {
    if (call.invalid !== undefined) return failure('invalid_input', call.invalid)
    const signal = further === undefined ? turn.signal : AbortSignal.any([turn.signal, further])
    return runWithSecrets(turn, call, {
      ...turn.toolContext,
      ...(env === undefined ? {} : { env: { ...turn.toolContext.env, ...env } }),
      signal,
      callId: call.id,
    })
  }
  return turn.around === undefined ? { result: await run() } : turn.around(callPart(call), run)
}

/** The tool receives values for placeholders; its result has placeholders again. */
async function runWithSecrets(
  { secrets, tools }: Turn,
  { name, input }: RequestedCall,
  context: ToolContext,
): Promise<Envelope> {
  if (secrets === undefined) return runTool(tools, name, input, context)
  const revealed = await secrets.reveal(input)
  if ('failure' in revealed) return revealed.failure
  const { onOutput } = context
  const filter = secrets.outputFilter()
  const filtered: ToolContext = {
    ...context,
    ...(onOutput && { onOutput: (id, chunk) => onOutput(id, filter(chunk)) }),
  }
  return secrets.hideResult(await runTool(tools, name, revealed.input, filtered))
}

export function addRound(history: Message[], answer: Answer, results: readonly Envelope[]): void {
  history.push({
    role: 'assistant',
    parts: [...answerParts(answer), ...answer.calls.map(callPart)],
  })
  const parts = answer.calls.map(({ id }, index) =>
    toolResultPart(id, results[index] ?? failure('cancelled', 'Interrupted by the user')),
  )
  history.push({ role: 'user', parts })
}

function callPart({ type, id, name, input }: RequestedCall): ToolCallPart {
  return { type, id, name, input }
}
