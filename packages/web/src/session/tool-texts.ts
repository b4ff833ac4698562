// The input, the result and the diff of calls, loaded lazily from page parts.
import type { SessionPage, ToolFacts, ToolTexts } from '../data/data.ts'
import { pagePart } from '../page/page.ts'

/** Undefined until the page is loaded as far as the call's part. */
export function loadToolTexts(
  { callsPerPart }: Pick<SessionPage, 'callsPerPart'>,
  { number }: ToolFacts,
): ToolTexts | undefined {
  const part = pagePart(Math.floor(number / callsPerPart))
  return Array.isArray(part) ? (part[number % callsPerPart] as ToolTexts | undefined) : undefined
}
