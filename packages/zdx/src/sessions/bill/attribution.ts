// Attributes the input tokens of a request to their sources, in proportion to the size of its segments.
import type { Segment } from '@zee/agent/prefix'

/** Sources that do not come from a tool result. */
const sourceNames: ReadonlyMap<string, string> = new Map([
  ['tools', 'tool definitions'],
  ['system prompt', 'system prompt'],
  ['AGENTS.md', 'AGENTS.md'],
  ['skills', 'skills'],
  ['hook context', 'hook context'],
])

/** The source of a segment; `results` holds the label of each tool call by id. */
export function sourceOf(name: string, results: ReadonlyMap<string, string>): string {
  if (name.startsWith('result:')) return results.get(name.slice('result:'.length)) ?? 'tool result'
  return sourceNames.get(name) ?? 'history'
}

/** Whole tokens per source; they add up to `tokens`. */
export function attribute(
  tokens: number,
  segments: readonly Segment[],
  results: ReadonlyMap<string, string>,
): Map<string, number> {
  const bytes = new Map<string, number>()
  for (const segment of segments) {
    const source = sourceOf(segment.name, results)
    bytes.set(source, (bytes.get(source) ?? 0) + segment.bytes)
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  if (total === 0) return new Map(tokens === 0 ? [] : [['history', tokens]])
  return apportion(tokens, bytes, total)
}

/** Largest remainders get the tokens that rounding down leaves. */
function apportion(
  tokens: number,
  bytes: ReadonlyMap<string, number>,
  total: number,
): Map<string, number> {
  const exact = [...bytes].map(([source, size]) => ({ source, share: (tokens * size) / total }))
  const shares = new Map(exact.map(({ source, share }) => [source, Math.floor(share)]))
  const given = [...shares.values()].reduce((sum, share) => sum + share, 0)
  const byRemainder = exact.sort((a, b) => (b.share % 1) - (a.share % 1))
  for (const { source } of byRemainder.slice(0, tokens - given)) {
    shares.set(source, (shares.get(source) ?? 0) + 1)
  }
  return shares
}
