// The rounds of a turn: a request, its tool calls and their results, until the model is done.
import { setImmediate as nextTick } from 'node:timers/promises'
import type { StopReason } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { ElisionStep } from '../elision/elision.ts'
import { elideOldResults, hasElidedResults, recallTool } from '../elision/elision.ts'
import type { Answer } from './answer.ts'
import { answerParts, streamAnswer, turnBytes } from './answer.ts'
import { addRound, runCalls } from './calls.ts'
import type { AgentEvent, TurnEnd } from './events.ts'
import { hidden, noticesOf, withoutSecrets } from './notices.ts'
import type { Turn } from './options.ts'
import { addPrompt, recordAnswer } from './records.ts'

/** A turn that `onEnd` continues more often ends anyway. */
const maxContinuations = 3

/** Ends the turn, or continues it with the message of `onEnd`. */
export async function* continueTurn(
  turn: Turn,
  firstReason: TurnEnd,
): AsyncGenerator<AgentEvent, TurnEnd, undefined> {
  let reason = firstReason
  for (let count = 0; turn.onEnd !== undefined; count++) {
    const { message, notices } = await turn.onEnd(reason, turn.signal)
    yield* noticesOf(turn, notices)
    turn.signal.throwIfAborted()
    if (message === undefined || reason !== 'done' || count === maxContinuations) break
    const text = await hidden(turn, message)
    turn.session?.append({ type: 'message', role: 'user', text })
    turn.history.push({ role: 'user', parts: [{ type: 'text', text }] })
    reason = yield* runRounds(turn, false)
  }
  return reason
}

/** Repeats request, tool calls and results until the model requests no more tools. */
export async function* runRounds(
  turn: Turn,
  hasNoAnswer = true,
): AsyncGenerator<AgentEvent, TurnEnd, undefined> {
  let isEmpty = hasNoAnswer
  for (;;) {
    const sent = yield* withinContext(turn)
    const answer = await withoutSecrets(turn, yield* streamAnswer(sent))
    isEmpty &&= answer.text.trim() === ''
    const notice = stopNotice(answer)
    if (notice !== undefined) yield { type: 'notice', text: notice }
    if (answer.stop !== 'tool_use' || answer.calls.length === 0) {
      yield* finishAnswer(turn, answer)
      if (isEmpty) throw emptyTurnError(answer)
      return turnEndFor(answer.stop)
    }
    isEmpty = false
    recordAnswer(turn, answer)
    const results = yield* runCalls(sent, answer.calls)
    addRound(turn.history, answer, results)
    // Answers and failed calls may need no I/O: a signal would wait for the last of thousands of rounds.
    await nextTick()
    turn.signal.throwIfAborted()
    yield* addSteering(turn)
  }
}

/** Adds lines that the user queued during the turn, after the tool results. */
async function* addSteering(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  for (const prompt of (await turn.steer?.()) ?? []) {
    yield { type: 'steered', text: await addPrompt(turn, prompt, { steered: true }) }
  }
}

/** Elides old results if the next request would be too large; then the model needs `recall`. */
async function* withinContext(turn: Turn): AsyncGenerator<AgentEvent, Turn, undefined> {
  const { context, history, session } = turn
  if (context === undefined) return turn
  const step = await elideOldResults(history, turnBytes(turn), context, session)
  if (step !== undefined) yield { type: 'notice', text: elisionNotice(step) }
  if (!hasElidedResults(history)) return turn
  return { ...turn, tools: [...turn.tools, recallTool(context.results)] }
}

function elisionNotice({ events, tokens }: ElisionStep): string {
  return (
    `The context window is almost full: elided ${events.length} old tool results ` +
    `(about ${tokens} tokens) from the request; the model can recall them`
  )
}

function stopNotice({ stop, stopWord, cutCalls }: Answer): string | undefined {
  if (stop === 'max_tokens') {
    const what = cutCalls > 0 ? 'A tool call was cut off' : 'The answer was cut off'
    return `${what} at the token limit: raise max_tokens`
  }
  if (stop === 'other') return `The model stopped early (${stopWord ?? 'no reason'})`
  return stop === 'refusal' ? 'The model refused to continue' : undefined
}

function emptyTurnError({ stop, stopWord }: Answer): ModelError {
  const reason = stop === 'end' ? '' : ` (stop reason: ${stopWord ?? stop})`
  return new ModelError(
    'api_error',
    `the model returned no text and no completed tool call${reason}`,
  )
}

function turnEndFor(stop: StopReason): TurnEnd {
  return stop === 'end' || stop === 'tool_use' ? 'done' : stop
}

function* finishAnswer(turn: Turn, answer: Answer): Generator<AgentEvent> {
  recordAnswer(turn, { ...answer, calls: [] })
  if (answer.text === '') return
  if (answer.text.trim() !== '')
    turn.history.push({ role: 'assistant', parts: answerParts(answer) })
  yield { type: 'assistant_final', text: answer.text }
}
