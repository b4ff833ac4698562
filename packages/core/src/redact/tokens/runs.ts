// Finds keys with a known prefix in one pass. Every such key contains a run of at least 13 letters,
// digits, `_` and `-`; the scan reads one character in 13 until it meets such a run.
import { tokenFormats } from './formats.ts'
import type { BodyKind, TokenFormat } from './formats.ts'
import { startsWord } from './words.ts'

export interface FoundToken {
  rule: string
  start: number
  end: number
}

/** A match of a run as a whole, or of the text around it. */
export type RunRule = (text: string, start: number, end: number) => FoundToken | undefined

const minRunLength = 13

/** The keys in the text; `wholeRuns` examine each run besides the table of formats. */
export function findKeys(text: string, wholeRuns: RunRule): FoundToken[] {
  const found: FoundToken[] = []
  for (let at = minRunLength - 1; at < text.length; at += minRunLength) {
    if (runCodes[text.charCodeAt(at)] !== 1) continue
    // The character before the run was read: at most 12 steps.
    let start = at
    while (runCodes[text.charCodeAt(start - 1)] === 1) start--
    let end = at
    while (runCodes[text.charCodeAt(end)] === 1) end++
    if (end - start >= minRunLength) findInRun(text, start, end, wholeRuns, found)
    at = end
  }
  return found
}

/** The start of an incomplete key at the end of the text. */
export function openKey(text: string): number | undefined {
  const start = startOfRun(text, text.length, Math.max(0, text.length - maxOpenLength))
  const dotted = dottedFormat(text, start, () => true)
  if (dotted !== undefined) return start - dotted.prefix.length
  for (let index = start; index < text.length; index++) {
    for (const { prefix, isAnywhere } of formatsAt(text, index)) {
      const isWord = /^[a-z]+$/.test(prefix) && text.length - index < minRunLength
      if (!isWord && (isAnywhere || startsWord(text, index))) return index
    }
  }
  return undefined
}

/** Characters before the end of the text that can belong to an incomplete key. */
const maxOpenLength = 256

function findInRun(
  text: string,
  start: number,
  end: number,
  wholeRuns: RunRule,
  found: FoundToken[],
): void {
  let from = start
  const before = text.charCodeAt(start - 1)
  const dotted = isDottedEnd(before)
    ? dottedFormat(text, start, (format) => matchBody(text, start, format) !== undefined)
    : undefined
  if (dotted !== undefined) {
    from = matchBody(text, start, dotted) ?? end
    found.push({ rule: dotted.rule, start: start - dotted.prefix.length, end: from })
  }
  const { prefixPairs } = formatIndex()
  let code = text.charCodeAt(from)
  for (let index = from; index < end; index++) {
    const next = text.charCodeAt(index + 1)
    const isPrefix = prefixPairs[(code << 7) | next] === 1
    code = next
    if (!isPrefix) continue
    const key = keyAt(text, index)
    if (key === undefined) continue
    found.push(key)
    index = key.end - 1
    code = text.charCodeAt(key.end)
  }
  const whole = wholeRuns(text, start, end)
  if (whole !== undefined) found.push(whole)
}

function keyAt(text: string, index: number): FoundToken | undefined {
  for (const format of formatsAt(text, index)) {
    const end = matchBody(text, index + format.prefix.length, format)
    if (end === undefined) continue
    if (startsToken(text, index, format)) return { rule: format.rule, start: index, end }
  }
  return undefined
}

/** A prefix without `_` or `-` occurs in base64, too: it must follow neither base64 nor filler. */
function startsToken(
  text: string,
  index: number,
  { prefix, isAnywhere, isInFiller }: TokenFormat,
): boolean {
  if (isAnywhere) return true
  if (/[_-]/.test(prefix) || isInFiller) return startsWord(text, index)
  const before = text.slice(Math.max(0, index - 20), index)
  return !/[A-Za-z0-9+/]{20}$/.test(before) && startsWord(text, index)
}

/** The end of a body at `from`, or undefined. Reads a bounded number of characters before it accepts. */
function matchBody(text: string, from: number, format: TokenFormat): number | undefined {
  const mask = bodyMasks[format.body]
  const least = from + format.min
  for (let at = from; at < least; at++) {
    if (!hasMask(text.charCodeAt(at), mask)) return undefined
  }
  if (
    !format.isAnyBody &&
    !format.needsRest &&
    !isGenerated(text, from, sampleEnd(text, least, mask))
  ) {
    return undefined
  }
  if (format.excludes?.test(runStart.exec(text.slice(from, from + 64))?.[0] ?? '')) return undefined
  let end = least
  const most = format.max === undefined ? text.length : from + format.max
  while (end < most && hasMask(text.charCodeAt(end), mask)) end++
  if (format.max !== undefined && isAlnumCode(text.charCodeAt(end))) return undefined
  return withRest(text, end, format)
}

/** The end of a body, at most 64 characters after `from`. */
function sampleEnd(text: string, from: number, mask: number): number {
  let end = from
  while (end < from + 64 && hasMask(text.charCodeAt(end), mask)) end++
  return end
}

const runStart = /^[\w-]*/

function withRest(text: string, end: number, { rest, needsRest }: TokenFormat): number | undefined {
  if (rest === undefined) return end
  rest.lastIndex = end
  if (rest.test(text)) return rest.lastIndex
  return needsRest ? undefined : end
}

/** `.`, `~` or `/` */
function isDottedEnd(code: number): boolean {
  return code === 46 || code === 126 || code === 47
}

/** Prefixes such as `SG.` end outside the run of the body. */
function dottedFormat(
  text: string,
  start: number,
  accept: (format: TokenFormat) => boolean,
): TokenFormat | undefined {
  if (!isDottedEnd(text.charCodeAt(start - 1))) return undefined
  return formatIndex().dotted.find(
    (format) =>
      text.startsWith(format.prefix, start - format.prefix.length) &&
      startsWord(text, start - format.prefix.length) &&
      accept(format),
  )
}

/** Whether letters and digits, or small letters and capitals, mix as in a generated value. */
export function isGenerated(text: string, from: number, to: number): boolean {
  let digits = 0
  let letters = 0
  let capitals = 0
  let humps = 0
  let wasLower = false
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const isLower = code >= 97 && code <= 122
    const isUpper = code >= 65 && code <= 90
    if (code >= 48 && code <= 57) digits++
    if (isLower || isUpper) letters++
    if (isUpper) capitals++
    if (isUpper && wasLower) humps++
    wasLower = isLower
  }
  if (digits > 0 && letters > 0) return true
  // Fewer than a quarter of the letters of words in camel case are capitals.
  return humps >= 3 && capitals * 4 >= letters
}

const masks = { alnum: 1, underscore: 2, dash: 4, hex: 8, upper: 16 }
const bodyMasks: Readonly<Record<BodyKind, number>> = {
  alnum: masks.alnum,
  word: masks.alnum | masks.underscore,
  dashed: masks.alnum | masks.underscore | masks.dash,
  hex: masks.hex,
  upper: masks.upper,
}

/** The masks of every ASCII character. */
const maskOf = Uint8Array.from({ length: 128 }, (_, code) => maskOfCode(code))

function maskOfCode(code: number): number {
  if (code >= 48 && code <= 57) return masks.alnum | masks.hex | masks.upper
  if (code >= 65 && code <= 90) return masks.alnum | masks.upper
  if (code >= 97 && code <= 122) return code <= 102 ? masks.alnum | masks.hex : masks.alnum
  if (code === 95) return masks.underscore
  return code === 45 ? masks.dash : 0
}

/** False beyond the end of the text, where the code is NaN. */
function hasMask(code: number, mask: number): boolean {
  return ((maskOf[code] ?? 0) & mask) !== 0
}

function isRunCode(code: number): boolean {
  return hasMask(code, bodyMasks.dashed)
}

/** The loops of the scan read this table: it is 2 ns per character faster than a call. */
const runCodes = Uint8Array.from({ length: 128 }, (_, code) => (isRunCode(code) ? 1 : 0))

function isAlnumCode(code: number): boolean {
  return hasMask(code, masks.alnum)
}

function startOfRun(text: string, at: number, least: number): number {
  let start = at
  while (start > least && isRunCode(text.charCodeAt(start - 1))) start--
  return start
}

export function endOfRun(text: string, from: number): number {
  let end = from
  while (isRunCode(text.charCodeAt(end))) end++
  return end
}

interface FormatIndex {
  /** Formats whose prefix contains a character that ends a run. */
  dotted: readonly TokenFormat[]
  /** Other formats by the first two characters of their prefix. */
  byPair: ReadonlyMap<number, readonly TokenFormat[]>
  /** 1 for the pairs of `byPair`. */
  prefixPairs: Uint8Array
}

let builtIndex: FormatIndex | undefined

/** Built for the first text with a run, so that short commands of `zcl run` do without. */
function formatIndex(): FormatIndex {
  builtIndex ??= indexFormats(tokenFormats())
  return builtIndex
}

function indexFormats(formats: readonly TokenFormat[]): FormatIndex {
  const dotted: TokenFormat[] = []
  const byPair = new Map<number, TokenFormat[]>()
  const prefixPairs = new Uint8Array(128 * 128)
  for (const format of formats) {
    if (/[.~/]/.test(format.prefix)) {
      dotted.push(format)
      continue
    }
    const pair = pairAt(format.prefix, 0)
    prefixPairs[pair] = 1
    const same = byPair.get(pair)
    if (same === undefined) byPair.set(pair, [format])
    else same.push(format)
  }
  return { dotted, byPair, prefixPairs }
}

function pairAt(text: string, index: number): number {
  return ((text.charCodeAt(index) & 127) << 7) | (text.charCodeAt(index + 1) & 127)
}

function formatsAt(text: string, index: number): TokenFormat[] {
  const formats = formatIndex().byPair.get(pairAt(text, index)) ?? []
  return formats.filter(({ prefix }) => text.startsWith(prefix, index))
}
