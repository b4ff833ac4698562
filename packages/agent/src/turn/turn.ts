// One turn: queries the model, runs the requested tools and returns their results, until the model is
// done. An async iterable of events that never throws; failures are `error` events.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { ModelError } from '@zee/llm'
import type { AgentEvent, TurnEnd } from './events.ts'
import { hidden, noticesOf, undoNotices } from './notices.ts'
import type { Turn } from './options.ts'
import { addPrompt, recordInterrupt, syncSession } from './records.ts'
import { continueTurn, runRounds } from './rounds.ts'

export type { AgentEvent, TurnEnd } from './events.ts'
export type { CallGuard, EndDecision } from './guard.ts'
export type {
  CallOutcome,
  GatheredTools,
  GatherLimits,
  PromptPart,
  RunCall,
  Turn,
} from './options.ts'

export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  const before = turn.history.length
  let reason: TurnEnd
  let isSynced = false
  try {
    try {
      turn.signal.throwIfAborted()
      turn.model.check()
      await addPrompt(turn, turn.prompt)
      const ready = yield* addGatheredTools(turn)
      reason = yield* continueTurn(ready, yield* runRounds(ready))
    } catch (error) {
      // Drops a prompt without an answer; completed rounds stay, because their tools have run.
      if (turn.history.length === before + 1) turn.history.length = before
      reason = turn.signal.aborted ? 'interrupted' : 'error'
      const failure = turn.signal.aborted ? recordInterrupt(turn, error) : { error }
      if (turn.signal.aborted) yield { type: 'interrupted' }
      if (failure !== undefined) {
        reason = 'error'
        yield await hiddenError(turn, errorEvent(failure.error))
        if (!turn.signal.aborted) yield* reportFailedEnd(turn)
      }
    }
    await turn.shellUndo?.endTurn(turn.signal)
    yield* undoNotices(turn)
    isSynced = true
    const failure = syncSession(turn)
    yield* failure === undefined ? [] : [errorEvent(failure.error)]
    yield { type: 'turn_end', reason: failure === undefined ? reason : 'error' }
  } finally {
    // The caller has stopped reading events.
    if (!isSynced) turn.session?.sync()
  }
}

/** A short tool timeout must not apply to the start of an MCP server. */
const minGatherMs = 20_000

async function* addGatheredTools(turn: Turn): AsyncGenerator<AgentEvent, Turn, undefined> {
  if (turn.gather === undefined) return turn
  await turn.beforeTools?.()
  const { signal, toolContext } = turn
  const timeoutMs =
    toolContext.timeoutMs === undefined ? undefined : Math.max(toolContext.timeoutMs, minGatherMs)
  const { tools, notices } = await turn.gather({ signal, timeoutMs })
  for (const text of notices) yield { type: 'notice', text }
  return { ...turn, tools: [...turn.tools, ...tools] }
}

/** Reports the end of a failed turn, which cannot be continued. */
async function* reportFailedEnd(turn: Turn): AsyncGenerator<AgentEvent> {
  const decision = await turn.onEnd?.('error', turn.signal).catch(() => undefined)
  yield* noticesOf(turn, decision?.notices ?? [])
}

/** A provider may quote the key in its error. */
async function hiddenError(turn: Turn, event: AgentEvent): Promise<AgentEvent> {
  if (event.type !== 'error') return event
  const details = event.details === undefined ? undefined : await hidden(turn, event.details)
  return { ...event, message: await hidden(turn, event.message), details }
}

function errorEvent(error: unknown): AgentEvent {
  if (!(error instanceof ModelError)) {
    const kind = error instanceof ZeeError && error.code === 'budget' ? 'budget' : 'internal'
    return { type: 'error', kind, message: reasonOf(error) }
  }
  const { kind, message, details } = error
  return { type: 'error', kind, message, details }
}
