// Keeps requests within the context window: when one would fill more than 80 % of it, the oldest tool
// results are replaced by one line each, until 50 %. Few large steps keep the prompt cache usable between
// them. The session keeps every result, and the model can recall it.
import type { Message, Part, ToolResultPart } from '@zee/llm'
import { elidedLine, isElidedLine } from '../envelope/envelope.ts'
import type { SessionWriter } from '../session/session.ts'
import type { ContextMeter } from './context-meter.ts'
import { partBytes } from './context-meter.ts'
import type { ResultStore, StoredResult } from './result-store.ts'
export { createContextMeter, requestBytes, type ContextMeter } from './context-meter.ts'
export { recallTool } from './recall.ts'
export { openResultStore, type ResultStore } from './result-store.ts'

/** The context window of a model and what is needed to stay within it. */
export interface ContextBudget {
  /** In tokens. */
  window: number
  meter: ContextMeter
  results: ResultStore
}

const fullShare = 0.8
const targetShare = 0.5
/** The results of this many rounds at the end are never elided. */
const keptRounds = 2

export interface ElisionStep {
  events: number[]
  /** Estimated tokens that the request is shorter by. */
  tokens: number
}

/** Replaces old results in `history` if the next request would be too large. */
export async function elideOldResults(
  history: Message[],
  bytes: number,
  { window, meter, results }: ContextBudget,
  session: SessionWriter | undefined,
): Promise<ElisionStep | undefined> {
  const size = meter.estimate(bytes)
  if (size <= window * fullShare) return undefined
  const places = elidablePlaces(history)
  if (places.length === 0) return undefined
  const stored = matchResults(places, await results.list())
  const events: number[] = []
  let tokens = 0
  for (const place of places) {
    if (size - tokens <= window * targetShare) break
    const result = stored.get(place)
    if (result === undefined) continue
    const content = elidedLine(result)
    const saved = partBytes(place.result) - content.length
    if (saved <= 0) continue
    replaceResult(history, place, content)
    events.push(result.event)
    tokens += meter.tokens(saved)
  }
  if (events.length === 0) return undefined
  session?.append({ type: 'elided', events })
  return { events, tokens: Math.round(tokens) }
}

/** Whether the model needs `recall`. */
export function hasElidedResults(history: readonly Message[]): boolean {
  return history.some(({ parts }) => parts.some(isElided))
}

function isElided(part: Part): boolean {
  return part.type === 'tool_result' && isElidedLine(part.content)
}

/** A tool result in the history. */
interface Place {
  message: number
  part: number
  result: ToolResultPart
}

/** Complete results, oldest first, without those of the last rounds. */
function elidablePlaces(history: readonly Message[]): Place[] {
  const rounds: Place[][] = []
  for (const [message, { parts }] of history.entries()) {
    const places = parts.flatMap((result, part) =>
      result.type === 'tool_result' ? [{ message, part, result }] : [],
    )
    if (places.length > 0) rounds.push(places)
  }
  return rounds
    .slice(0, -keptRounds)
    .flat()
    .filter(({ result }) => !isElided(result))
}

/** Finds each result in the session by its call id. Ids may repeat, so both are walked in order. */
function matchResults(
  places: readonly Place[],
  stored: readonly StoredResult[],
): Map<Place, StoredResult> {
  const matches = new Map<Place, StoredResult>()
  let next = 0
  for (const place of places) {
    const { id } = place.result
    const index = stored.findIndex(({ callId }, at) => at >= next && isSameCall(callId, id))
    const result = stored[index]
    if (result === undefined) continue
    matches.set(place, result)
    next = index + 1
  }
  return matches
}

/** A loaded history has ids without special characters, and numbered ones where they repeat. */
function isSameCall(stored: string, id: string): boolean {
  if (stored === id) return true
  const safe = stored.replace(/[^A-Za-z0-9_-]/g, '_')
  return id === safe || (id.startsWith(`${safe}-`) && /^\d+$/.test(id.slice(safe.length + 1)))
}

function replaceResult(history: Message[], place: Place, content: string): void {
  const message = history[place.message]
  if (message === undefined) return
  const { id, isError } = place.result
  const parts = message.parts.with(place.part, { type: 'tool_result', id, content, isError })
  history[place.message] = { ...message, parts }
}
