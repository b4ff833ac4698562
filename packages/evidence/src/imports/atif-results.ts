// Pairs the results in the observations of ATIF with the calls of an agent.
import { asObject, asText } from '../json/json.ts'
import { contentText } from '../runners/runners.ts'
import { countUnmapped, objectsIn } from './imported.ts'
import type { ImportedAttempt, ImportedCall } from './imported.ts'

type Loose = Readonly<Record<string, unknown>>

interface NamedCall {
  /** Empty if the log has none. */
  id: string
  call: ImportedCall
}

/** What the steps of an attempt share. */
export interface CallPairing {
  /** Calls of earlier steps without a result. */
  earlier: Map<string, ImportedCall>
  /** Trajectories that results may refer to. */
  subagents: readonly Loose[]
}

/**
 * Gives each result of a step to the call that it names. Results without a name go to the calls without a
 * result, in order; the last such call takes all that are left.
 */
export function addResults(
  attempt: ImportedAttempt,
  calls: readonly NamedCall[],
  results: readonly Loose[],
  pairing: CallPairing,
): void {
  const waiting = [...calls]
  const add = (call: ImportedCall | undefined, result: Loose) => {
    countReferences(attempt, result, pairing)
    if (call === undefined) countUnmapped(attempt, 'result without a call')
    else addResult(attempt, call, result, pairing)
  }
  const isNamed = ({ source_call_id: id }: Loose) => asText(id) !== ''
  for (const result of results.filter(isNamed)) {
    const id = asText(result.source_call_id)
    const at = waiting.findIndex((each) => each.id === id)
    const [found] = at < 0 ? calls.filter((each) => each.id === id) : waiting.splice(at, 1)
    add(found?.call ?? pairing.earlier.get(id), result)
  }
  for (const result of results.filter((each) => !isNamed(each))) {
    add((waiting.length > 1 ? waiting.shift() : waiting[0])?.call, result)
  }
  for (const { id, call } of waiting) if (id !== '') pairing.earlier.set(id, call)
}

function addResult(
  attempt: ImportedAttempt,
  call: ImportedCall,
  { content, extra, subagent_trajectory_ref: references }: Loose,
  { subagents }: CallPairing,
): void {
  const text = contentText(content) || answerOf(references, subagents)
  call.output = call.output === '' ? text : `${call.output}\n${text}`
  if (asObject(extra).tool_result_is_error === true) call.isError = true
  for (const part of objectsIn(content)) {
    if (part.type !== 'text') countUnmapped(attempt, `content ${asText(part.type)}`)
  }
}

/** The last message of the subagents that a result without content refers to. */
function answerOf(references: unknown, subagents: readonly Loose[]): string {
  const ids = new Set(objectsIn(references).map(({ trajectory_id: id }) => asText(id)))
  const named = subagents.filter(
    ({ trajectory_id: id }) => asText(id) !== '' && ids.has(asText(id)),
  )
  const answers = named.map(({ steps }) => {
    const said = objectsIn(steps).filter(({ source }) => source === 'agent')
    return said.map(({ message }) => contentText(message)).findLast((text) => text !== '') ?? ''
  })
  return answers.filter((answer) => answer !== '').join('\n')
}

/** Embedded trajectories are counted once; those in other files only by their references. */
function countReferences(
  attempt: ImportedAttempt,
  { subagent_trajectory_ref: references }: Loose,
  { subagents }: CallPairing,
): void {
  for (const { trajectory_id: id } of objectsIn(references)) {
    const isEmbedded = asText(id) !== '' && subagents.some((each) => each.trajectory_id === id)
    if (!isEmbedded) countUnmapped(attempt, 'subagent trajectory')
  }
}
