// What calls printed, and what went into them: in parts of the page, read when a call is looked at.
import type { AttemptFacts, CallFacts, CallTexts } from '../../data/data.ts'
import { pagePart } from '../../page/page.ts'

export interface ReadTexts {
  out: string | undefined
  err: string | undefined
  input: string | undefined
}

/** `index` is the place of the call among those of the attempt. */
export function textsOf({ texts }: AttemptFacts, index: number): ReadTexts | undefined {
  if (texts === undefined || index < 0) return undefined
  const part = pagePart(texts.first + Math.floor(index / texts.callsPerPart))
  if (!Array.isArray(part)) return undefined
  const [out, err, input] = (part[index % texts.callsPerPart] ?? [0, 0, 0]) as CallTexts
  return { out: textIn(out), err: textIn(err), input: textIn(input) }
}

const haystacks = new WeakMap<CallFacts, string>()

/** All of a call in lower case, made once: for finding. */
export function haystackOf(attempt: AttemptFacts, call: CallFacts, index: number): string {
  const known = haystacks.get(call)
  if (known !== undefined) return known
  const texts = textsOf(attempt, index)
  const { out = '', err = '' } = texts ?? {}
  const { tool, op, title, code = '' } = call
  const text = `${tool} ${op} ${title} ${code} ${out} ${err}`.toLowerCase()
  // What the call printed may still be on its way.
  if (texts !== undefined || attempt.texts === undefined) haystacks.set(call, text)
  return text
}

function textIn(value: string | 0): string | undefined {
  return typeof value === 'string' ? value : undefined
}
