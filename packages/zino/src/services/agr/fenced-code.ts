// Models wrap code into markdown fences even when told not to; only what is inside can run.

const fence = /^\s{0,3}(`{3,}|~{3,})(.*)$/

/** The code in the first fence of an answer, or the whole answer when it has none. */
export function fencedCode(answer: string): string {
  // A script may well print a fence of its own.
  if (answer.trimStart().startsWith('#!')) return answer
  const lines = answer.split('\n')
  const start = lines.findIndex((line) => fence.test(line))
  const mark = fence.exec(lines[start] ?? '')?.[1]
  if (mark === undefined) return answer
  const end = closingLine(lines, start, mark)
  return `${lines.slice(start + 1, end).join('\n')}\n`
}

/** The line that closes the fence opened at `start`; a fence with a language inside opens another. */
function closingLine(lines: readonly string[], start: number, mark: string): number {
  let depth = 1
  for (let at = start + 1; at < lines.length; at += 1) {
    const [, found = '', label = ''] = fence.exec(lines[at] ?? '') ?? []
    if (found[0] !== mark[0] || found.length < mark.length) continue
    depth += label.trim() === '' ? -1 : 1
    if (depth === 0) return at
  }
  return lines.length
}
