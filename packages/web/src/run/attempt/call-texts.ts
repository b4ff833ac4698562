// The input and output of calls, loaded lazily from page parts.
import type { AttemptFacts, CallFacts, CallTexts } from '../../data/data.ts'
import { pagePart } from '../../page/page.ts'

export interface LoadedTexts {
  out: string | undefined
  err: string | undefined
  input: string | undefined
}

/** The texts of the call at `index` in `attempt.calls`. */
export function loadTexts({ texts }: AttemptFacts, index: number): LoadedTexts | undefined {
  if (texts === undefined || index < 0) return undefined
  const part = pagePart(texts.first + Math.floor(index / texts.callsPerPart))
  if (!Array.isArray(part)) return undefined
  const [out, err, input] = (part[index % texts.callsPerPart] ?? [0, 0, 0]) as CallTexts
  return { out: textOrUndefined(out), err: textOrUndefined(err), input: textOrUndefined(input) }
}

const searchTexts = new WeakMap<CallFacts, string>()

/** The text of a call in lower case for searching, cached per call. */
export function searchText(attempt: AttemptFacts, call: CallFacts, index: number): string {
  const cached = searchTexts.get(call)
  if (cached !== undefined) return cached
  const texts = loadTexts(attempt, index)
  const { out = '', err = '' } = texts ?? {}
  const { tool, op, title, code = '' } = call
  const text = `${tool} ${op} ${title} ${code} ${out} ${err}`.toLowerCase()
  // Do not cache before the page part with the texts is loaded.
  if (texts !== undefined || attempt.texts === undefined) searchTexts.set(call, text)
  return text
}

function textOrUndefined(value: string | 0): string | undefined {
  return typeof value === 'string' ? value : undefined
}
