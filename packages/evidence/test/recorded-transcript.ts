// A builder that records what the log of an agent says, as lists of values.
import type { TranscriptBuilder } from '../src/transcripts/builder.ts'

export interface RecordedTranscript extends TranscriptBuilder {
  said: unknown[][]
  /** The kinds of what has no place in a conversation. */
  others: string[]
}

export function recordedTranscript(): RecordedTranscript {
  const said: unknown[][] = []
  const others: string[] = []
  return {
    said,
    others,
    unmapped: (kind) => void others.push(kind),
    user: (...values) => void said.push(['user', ...values]),
    text: (...values) => void said.push(['text', ...values]),
    thinking: (...values) => void said.push(['thinking', ...values]),
    call: (key, { id, name, input }, ts) => void said.push(['call', key, id, name, input, ts]),
    result: (result, ts) => void said.push(['result', result, ts]),
    interrupted: (ts) => void said.push(['interrupted', ts]),
    receipt: (...values) => void said.push(['receipt', ...values]),
  }
}
