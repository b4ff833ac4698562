// JavaScript literals that depend on context: regular expressions and templates.
import { erase } from '../../blank.ts'

const lf = 0x0a
const backslash = 0x5c

/** Words after which a slash starts a regular expression. */
const beforeRegex =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/

const maxRegexBytes = 2000

/** Blanks a regular expression, which ends on its line; any other slash is a division. */
export function regexLiteral(bytes: Buffer, at: number): number {
  if (!canStartRegex(bytes, at)) return at + 1
  let inSet = false
  const limit = Math.min(bytes.length, at + maxRegexBytes)
  for (let end = at + 1; end < limit; end++) {
    const byte = bytes[end]
    if (byte === lf) return at + 1
    if (byte === backslash) end++
    else if (byte === 0x5b) inSet = true
    else if (byte === 0x5d) inSet = false
    else if (byte === 0x2f && !inSet) {
      erase(bytes, at + 1, end)
      return end + 1
    }
  }
  return at + 1
}

function canStartRegex(bytes: Buffer, at: number): boolean {
  let last = at - 1
  while (last >= 0 && (bytes[last] === 0x20 || bytes[last] === 0x09 || bytes[last] === lf)) last--
  if (last < 0) return true
  const char = String.fromCharCode(bytes[last] as number)
  if (/[\w$]/.test(char)) {
    return beforeRegex.test(bytes.toString('latin1', Math.max(0, last - 12), last + 1))
  }
  // After the `<` of a closing tag a slash is not a regular expression.
  return !/[)\]}"'`<]/.test(char)
}

/** Blanks a template, including its expressions and nested templates. */
export function templateLiteral(bytes: Buffer, at: number): number {
  const end = templateEnd(bytes, at, 0)
  erase(bytes, at + 1, end - 1)
  return end
}

/** Deeper nested templates count as reaching to the end of the file. */
const maxDepth = 100

function templateEnd(bytes: Buffer, at: number, depth: number): number {
  if (depth > maxDepth) return bytes.length
  for (let offset = at + 1; offset < bytes.length; offset++) {
    const byte = bytes[offset]
    if (byte === backslash) offset++
    else if (byte === 0x60) return offset + 1
    else if (byte === 0x24 && bytes[offset + 1] === 0x7b)
      offset = expressionEnd(bytes, offset + 2, depth)
  }
  return bytes.length
}

/** Offset of the brace that ends an expression in a template. */
function expressionEnd(bytes: Buffer, at: number, depth: number): number {
  let open = 1
  for (let offset = at; offset < bytes.length; offset++) {
    const byte = bytes[offset]
    if (byte === 0x7b) open++
    else if (byte === 0x60) offset = templateEnd(bytes, offset, depth + 1) - 1
    else if (byte === 0x22 || byte === 0x27) offset = quoteEnd(bytes, offset)
    else if (byte === 0x7d && --open === 0) return offset
  }
  return bytes.length
}

function quoteEnd(bytes: Buffer, at: number): number {
  for (let offset = at + 1; offset < bytes.length && bytes[offset] !== lf; offset++) {
    if (bytes[offset] === backslash) offset++
    else if (bytes[offset] === bytes[at]) return offset
  }
  return at
}
