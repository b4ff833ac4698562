// Hits as text for people and models: each path once, its lines below as `12: text`, lines of context as `13- text`.
// Overlapping context is merged; a gap within a file is one line of two dashes.
import type { GrepHit, LineHit } from '../../search/search.ts'

export function formatHits(hits: readonly GrepHit[]): string {
  const parts: string[] = []
  for (let at = 0; at < hits.length;) {
    const { path } = hits[at] as GrepHit
    let end = at + 1
    while (end < hits.length && (hits[end] as GrepHit).path === path) end++
    parts.push(formatFile(path, hits.slice(at, end)))
    at = end
  }
  return parts.join('\n')
}

function formatFile(path: string, hits: readonly GrepHit[]): string {
  const [first] = hits
  if (first === undefined || !('line' in first)) {
    return first !== undefined && 'count' in first ? `${path}: ${first.count}\n` : `${path}\n`
  }
  return `${path}\n${formatLines(hits as readonly LineHit[])}`
}

function formatLines(hits: readonly LineHit[]): string {
  const matched = new Set(hits.map(({ line }) => line))
  const texts = new Map<number, string>()
  for (const hit of hits) {
    for (const { line, text } of hit.context ?? []) if (!matched.has(line)) texts.set(line, text)
    texts.set(hit.line, hit.text)
  }
  const hasContext = hits.some(({ context }) => context !== undefined)
  let previous: number | undefined
  let text = ''
  for (const line of [...texts.keys()].sort((a, b) => a - b)) {
    if (hasContext && previous !== undefined && line > previous + 1) text += '--\n'
    text += `${line}${matched.has(line) ? ':' : '-'} ${texts.get(line) ?? ''}\n`
    previous = line
  }
  return text
}
