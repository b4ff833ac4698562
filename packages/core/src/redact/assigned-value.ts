// Finds the start and end of an assigned value: in quotes of any escape depth, or bare up to a space,
// a quote or the next query parameter.

export interface AssignedValue {
  start: number
  end: number
  /** A quoted value may contain spaces. */
  quoted: boolean
}

/** The end of the line at a position; positions must not decrease between calls. */
export type LineEnds = (from: number) => number

/** The end of a sticky expression's match at `from`; 0 without a match. */
export function endOf(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from
  expression.test(text)
  return expression.lastIndex
}

const opening = /(\\{0,8})(["'`])/y
const bare = /[^\s"'`&]*/y

/** The value that starts at `from`; `isEncoded` if the separator was `%3D` or `%3A`. */
export function valueAt(
  text: string,
  from: number,
  isEncoded: boolean,
  lines: LineEnds,
): AssignedValue {
  opening.lastIndex = from
  const found = opening.exec(text)
  if (found !== null) {
    const start = opening.lastIndex
    const end = closingQuote(text, start, found[2] ?? '', (found[1] ?? '').length, lines(start))
    return { start, end, quoted: true }
  }
  let end = endOfBareValue(text, from)
  if (isEncoded) {
    const next = text.slice(from, end).search(/%2[26]/)
    if (next !== -1) end = from + next
  }
  return { start: from, end: withoutPunctuation(text, from, end), quoted: false }
}

/**
 * The position of the closing quote: one that is not escaped more deeply than the opening quote.
 * Without a closing quote the value ends with the line.
 */
function closingQuote(text: string, start: number, quote: string, depth: number, line: number) {
  for (let at = text.indexOf(quote, start); at !== -1 && at < line;) {
    const escapes = at - startOfBackslashes(text, at, start)
    if (escapes <= depth || (depth === 0 && escapes % 2 === 0)) return at - escapes
    at = text.indexOf(quote, at + 1)
  }
  return line
}

/** The start of the run of backslashes that ends before `at`. */
function startOfBackslashes(text: string, at: number, from: number): number {
  let start = at
  while (start > from && text[start - 1] === '\\') start--
  return start
}

/**
 * The end at a space, a quote or the next parameter of a query or a connection string. A quote between letters (`don'tpanic`) and
 * any other `&` belong to the value.
 */
function endOfBareValue(text: string, from: number): number {
  let end = endOf(bare, text, from)
  while (continuesValue(text, end)) end = endOf(bare, text, end + 1)
  const next = text.slice(from, Math.min(end, from + maxConnectionString)).search(nextProperty)
  return next === -1 ? end : from + next
}

const maxConnectionString = 1024
/** `;EndpointSuffix=` and `,time=` end the value before them. */
const nextProperty = /;[A-Za-z][\w ]{0,40}=|,[a-z]\w{0,40}=/
const nextParameter = /&(?:&|amp;|[\w.%[\]-]*=)/y

function continuesValue(text: string, at: number): boolean {
  if (text[at] === '&') {
    nextParameter.lastIndex = at
    return !nextParameter.test(text)
  }
  return /^[A-Za-z0-9]["'`][A-Za-z0-9]$/.test(text.slice(at - 1, at + 2))
}

/** Excludes closing punctuation around a bare value, but not the brace of `${NAME}`. */
function withoutPunctuation(text: string, from: number, to: number): number {
  const closing = /[([{]/.test(text.slice(from, to)) ? /[\\,;.&]/ : /[\\,;)\]}.&]/
  let end = to
  while (end > from && closing.test(text.charAt(end - 1))) end--
  return end
}

/** Computes each line end once. */
export function lineEnds(text: string): LineEnds {
  let cachedEnd = -1
  return (from) => {
    if (from <= cachedEnd) return cachedEnd
    const next = text.indexOf('\n', from)
    cachedEnd = next === -1 ? text.length : next
    return cachedEnd
  }
}
