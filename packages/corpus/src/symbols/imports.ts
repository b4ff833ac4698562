// The import statements of a file. An import goes from a line that starts one to the line that closes its brackets.

const importStart =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:pub(?:\([^)]*\))?\s+)?use\s|using\s|#\s*include\b|#\s*import\b|require(?:_relative)?\b|export\s*(?:type\s*)?[{*]|(?:const|let|var)\s[^=\n]{1,200}=\s*require\s*\()/gm
/** Maximum lines of an import. */
const maxLines = 400

/**
 * A test whether an offset lies in an import. `code` is `original` with blanked comments and strings; both have one
 * character per byte. Offsets must not decrease from call to call.
 */
export function importTest(original: string, code: string): (at: number) => boolean {
  let [start, end] = [0, 0]
  importStart.lastIndex = 0
  return (at) => {
    while (at >= end) {
      importStart.lastIndex = end
      const next = nextImport(original, code)
      ;[start, end] = next ?? [Infinity, Infinity]
    }
    return at >= start
  }
}

/** The range of the next import from `importStart.lastIndex`. */
function nextImport(original: string, code: string): [start: number, end: number] | undefined {
  for (let found = importStart.exec(original); found !== null; found = importStart.exec(original)) {
    const [head] = found
    const first = found.index + head.length - head.trimStart().length
    // Prose has no code, and a scanner may stop early.
    if (first >= code.length) return undefined
    // The start of a directive may be blanked by the scanner, but not that of an import.
    if (code[first] === ' ' && original[first] !== '#') continue
    const end = Math.max(importStart.lastIndex, statementEnd(original, code, found.index))
    const isExport = head.trimStart().startsWith('export')
    if (!isExport || /\bfrom\b/.test(original.slice(first, end))) return [found.index, end]
    importStart.lastIndex = end
  }
  return undefined
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

export function isLineEnd(text: string, at: number): boolean {
  const char = text.charCodeAt(at)
  return char === 0x0a || (char === 0x0d && text.charCodeAt(at + 1) !== 0x0a)
}
