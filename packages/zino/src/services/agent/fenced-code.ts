// Extracts code from markdown fences: models fence code even when the prompt forbids it.

// Any indentation is allowed: models indent fences in lists more deeply than markdown permits.
// Backquotes after an opening of backquotes mean inline code, not a fence.
const fence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const fenceOnOneLine = /^\s*(`{3,})([^`\n]+)\1\s*$/

/** The code in the first fence of an answer, or the entire answer without a fence. */
export function fencedCode(answer: string): string {
  // A script with a shebang may print fences itself.
  if (answer.trimStart().startsWith('#!')) return answer
  const inline = fenceOnOneLine.exec(answer)?.[2]
  if (inline !== undefined) return `${inline.trim()}\n`
  const lines = answer.split(/\r?\n/)
  const start = lines.findIndex((line) => fence.test(line))
  const mark = fence.exec(lines[start] ?? '')?.[1]
  if (mark === undefined) return answer
  const end = closingLine(lines, start, mark)
  const [indent = ''] = /^[ \t]*/.exec(lines[start] ?? '') ?? []
  const code = lines.slice(start + 1, end).map((line) => removeIndent(line, indent))
  return `${code.join('\n')}\n`
}

/** Index of the line that closes the fence opened at `start`; a labelled fence inside opens another. */
function closingLine(lines: readonly string[], start: number, mark: string): number {
  let depth = 1
  for (let index = start + 1; index < lines.length; index += 1) {
    const [, found = '', label = ''] = fence.exec(lines[index] ?? '') ?? []
    if (found[0] !== mark[0] || found.length < mark.length) continue
    depth += label.trim() === '' ? -1 : 1
    if (depth === 0) return index
  }
  return lines.length
}

/** Removes the indentation of the fence from a line of its code. */
function removeIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()
}
