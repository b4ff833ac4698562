// Tells whether a position of a file lies in an import statement. Only the lines that may start such a statement are
// looked at: the line itself, and those of the brackets around it.

const importStart =
  /[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:pub(?:\([^)]*\))?\s+)?use\s|using\s|#\s*include\b|#\s*import\b|require(?:_relative)?\b|export\s*(?:type\s*)?[{*]|(?:const|let|var)\s[^=\n]{1,200}=\s*require\s*\()/y
/** Limits of an import: lines, characters before a position, and nested brackets. */
const maxLines = 400
const maxChars = 40_000
const maxDepth = 4

/** `code` is `original` with blanked comments and strings; both have one character per byte. */
export function isInImport(original: string, code: string, at: number): boolean {
  let start = lineStart(original, at)
  if (isImportOver(original, code, start, at)) return true
  for (let depth = 0, from = start; depth < maxDepth; depth++) {
    from = openingBefore(code, from, Math.max(0, at - maxChars))
    if (from === -1) return false
    const outer = lineStart(original, from)
    if (outer !== start && isImportOver(original, code, outer, at)) return true
    start = outer
  }
  return false
}

/** Whether an import starts on a line and has not ended before the line of `at`. */
function isImportOver(original: string, code: string, start: number, at: number): boolean {
  importStart.lastIndex = start
  const head = importStart.exec(original)?.[0]
  if (head === undefined) return false
  const first = start + head.length - head.trimStart().length
  // The start of a directive may be blanked by the scanner, but not that of an import.
  if (code[first] === ' ' && original[first] !== '#') return false
  const end = statementEnd(original, code, start)
  if (at >= end) return false
  return !head.trimStart().startsWith('export') || /\bfrom\b/.test(original.slice(start, end))
}

/** The end of the line on which all brackets are closed. */
function statementEnd(original: string, code: string, from: number): number {
  let [depth, lines] = [0, 1]
  for (let at = from; at < code.length; at++) {
    const char = code[at] as string
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (isLineEnd(original, at)) {
      if (depth <= 0 || lines === maxLines) return at
      lines++
    }
  }
  return code.length
}

/** The last bracket before an offset that is still open there; -1 if there is none after `least`. */
function openingBefore(code: string, offset: number, least: number): number {
  let depth = 0
  for (let at = offset - 1; at >= least; at--) {
    const char = code.charCodeAt(at)
    if (char === 0x29 || char === 0x5d || char === 0x7d) depth++
    else if ((char === 0x28 || char === 0x5b || char === 0x7b) && depth-- === 0) return at
  }
  return -1
}

function lineStart(text: string, at: number): number {
  for (let start = at; start > 0; start--) if (isLineEnd(text, start - 1)) return start
  return 0
}

export function isLineEnd(text: string, at: number): boolean {
  const char = text.charCodeAt(at)
  return char === 0x0a || (char === 0x0d && text.charCodeAt(at + 1) !== 0x0a)
}
