// Literals of JavaScript that need a look around: regular expressions and templates.
import { erase } from '../../blank.ts'

const lf = 0x0a
const backslash = 0x5c

/** Words after which a slash begins a regular expression. */
const beforeRegex =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/

const longestRegex = 2000

/** A regular expression, which ends on its line; any other slash divides. */
export function regexLiteral(bytes: Buffer, at: number): number {
  if (!mayBegin(bytes, at)) return at + 1
  let inSet = false
  const most = Math.min(bytes.length, at + longestRegex)
  for (let end = at + 1; end < most; end++) {
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

function mayBegin(bytes: Buffer, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (bytes[before] === 0x20 || bytes[before] === 0x09 || bytes[before] === lf))
    before--
  if (before < 0) return true
  const char = String.fromCharCode(bytes[before] as number)
  if (/[\w$]/.test(char)) {
    return beforeRegex.test(bytes.toString('latin1', Math.max(0, before - 12), before + 1))
  }
  // Behind a closing tag's `<` a slash is one, too, and ends on its line like the rest.
  return !/[)\]}"'`<]/.test(char)
}

/** A template with everything in it, also the expressions and the templates in those. */
export function templateLiteral(bytes: Buffer, at: number): number {
  const end = templateEnd(bytes, at, 0)
  erase(bytes, at + 1, end - 1)
  return end
}

/** Templates nest; beyond all reason they are taken to reach to the end of the file. */
const maxDepth = 100

function templateEnd(bytes: Buffer, at: number, depth: number): number {
  if (depth > maxDepth) return bytes.length
  for (let place = at + 1; place < bytes.length; place++) {
    const byte = bytes[place]
    if (byte === backslash) place++
    else if (byte === 0x60) return place + 1
    else if (byte === 0x24 && bytes[place + 1] === 0x7b)
      place = expressionEnd(bytes, place + 2, depth)
  }
  return bytes.length
}

/** Offset of the brace that ends an expression in a template. */
function expressionEnd(bytes: Buffer, at: number, depth: number): number {
  let open = 1
  for (let place = at; place < bytes.length; place++) {
    const byte = bytes[place]
    if (byte === 0x7b) open++
    else if (byte === 0x60) place = templateEnd(bytes, place, depth + 1) - 1
    else if (byte === 0x22 || byte === 0x27) place = quoteEnd(bytes, place)
    else if (byte === 0x7d && --open === 0) return place
  }
  return bytes.length
}

function quoteEnd(bytes: Buffer, at: number): number {
  for (let place = at + 1; place < bytes.length && bytes[place] !== lf; place++) {
    if (bytes[place] === backslash) place++
    else if (bytes[place] === bytes[at]) return place
  }
  return at
}
