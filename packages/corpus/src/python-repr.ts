// Quotes values in messages the way the original Python server does; clients may match on them.

/** Python's `repr` of a text: in single quotes, unless the text contains one and no double quote. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = Array.from(text, (char) => {
    if (char === quote || char === '\\') return `\\${char}`
    return isPrintable(char) ? char : escapeChar(char)
  })
  return quote + body.join('') + quote
}

function isPrintable(char: string): boolean {
  return char === ' ' || !/[\p{C}\p{Z}]/u.test(char)
}

function escapeChar(char: string): string {
  if (char === '\n') return '\\n'
  if (char === '\r') return '\\r'
  if (char === '\t') return '\\t'
  const code = char.codePointAt(0) as number
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}
