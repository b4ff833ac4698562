// A model that plays the answers of a recorded turn.
import type { Model, ModelEvent } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Round } from './recording.ts'

/** `inputOf` maps paths of a call to the rebuilt tree. */
export function recordedModel(
  rounds: readonly Round[],
  inputOf: (input: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Model {
  const left = [...rounds]
  return {
    provider: 'recording',
    check: () => {},
    close: () => {},
    stream: async function* () {
      const round = left.shift()
      if (round === undefined)
        throw new ModelError('api_error', 'the recording has no more answers')
      yield* roundEvents(round, inputOf)
    },
  }
}

function* roundEvents(
  { text, calls }: Round,
  inputOf: (input: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Generator<ModelEvent> {
  if (text !== '') yield { type: 'text', text }
  for (const { id, name, input } of calls) {
    yield { type: 'tool_call_start', id, name }
    yield { type: 'tool_call_end', id, name, input: inputOf(input) }
  }
  yield { type: 'stop', reason: calls.length > 0 ? 'tool_use' : 'end' }
}
