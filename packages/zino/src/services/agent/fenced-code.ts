// Models wrap code into markdown fences even when told not to; only what is inside can run.

// Deeper in a list than markdown allows, models indent them all the same. Backquotes behind an opening
// of backquotes mean code within a line.
const fence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const fenceOnOneLine = /^\s*(`{3,})([^`\n]+)\1\s*$/

/** The code in the first fence of an answer, or the whole answer when it has none. */
export function fencedCode(answer: string): string {
  // A script may well print a fence of its own.
  if (answer.trimStart().startsWith('#!')) return answer
  const alone = fenceOnOneLine.exec(answer)?.[2]
  if (alone !== undefined) return `${alone.trim()}\n`
  const lines = answer.split(/\r?\n/)
  const start = lines.findIndex((line) => fence.test(line))
  const mark = fence.exec(lines[start] ?? '')?.[1]
  if (mark === undefined) return answer
  const end = closingLine(lines, start, mark)
  const [indent = ''] = /^[ \t]*/.exec(lines[start] ?? '') ?? []
  const code = lines.slice(start + 1, end).map((line) => removeIndent(line, indent))
  return `${code.join('\n')}\n`
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

/** What the fence itself is moved to the right by is no part of the code. */
function removeIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()
}
