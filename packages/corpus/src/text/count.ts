// Counts line ends and code points in bytes without decoding them. Loops process four bytes per
// step and count 100 MB in a few tens of milliseconds. Each loop has its own function, because V8
// then never deoptimizes code after a loop.
import { isAscii, isUtf8 } from 'node:buffer'

export interface TextCount {
  /** `\n`, `\r\n` and lone `\r`, each counted once. */
  lineEnds: number
  /**
   * Code points of the decoded text. `\r\n` counts once; an ill-formed run counts as its U+FFFD.
   */
  chars: number
}

const lf = 0x0a
const cr = 0x0d

/** Counts `bytes`, which must not start or end inside a character or between CR and LF. */
export function countText(bytes: Buffer): TextCount {
  const lineFeeds = countByte(bytes, lf)
  const chars = countCodePoints(bytes)
  if (bytes.indexOf(cr) === -1) return { lineEnds: lineFeeds, chars }
  const pairs = countPairs(bytes)
  return { lineEnds: lineFeeds + countByte(bytes, cr) - pairs, chars: chars - pairs }
}

/** Code points of the decoded text; CR LF counts once. */
export function countChars(bytes: Buffer): number {
  return countCodePoints(bytes) - (bytes.indexOf(cr) === -1 ? 0 : countPairs(bytes))
}

/** Code points of the decoded bytes; CR LF counts twice. */
export function countCodePoints(bytes: Buffer): number {
  if (isAscii(bytes)) return bytes.length
  if (isUtf8(bytes)) return bytes.length - countContinuations(bytes)
  return countIllFormed(bytes)
}

/** Counts each character, and each maximal prefix of an incomplete one, once. */
function countIllFormed(bytes: Buffer): number {
  let count = bytes.length
  let state = startState
  for (let at = 0; at < bytes.length; at++) {
    const transition = transitions[state | (classes[bytes[at] as number] as number)] as number
    count -= transition & 1
    state = transition & ~1
  }
  return count
}

// Decoder states: continuation bytes left. Multiples of the number of classes.
const byteClassCount = 16
const startState = 0
const [left1, left2, afterE0, afterEd, left3, afterF0, afterF4] = [
  16, 32, 48, 64, 80, 96, 112,
] as const

/** First and last byte of each class, in order. */
const classRanges: readonly (readonly [first: number, last: number])[] = [
  ...([
    [0x00, 0x7f],
    [0x80, 0x8f],
    [0x90, 0x9f],
    [0xa0, 0xbf],
    [0xc0, 0xc1],
  ] as const),
  ...([
    [0xc2, 0xdf],
    [0xe0, 0xe0],
    [0xe1, 0xec],
    [0xed, 0xed],
    [0xee, 0xef],
  ] as const),
  ...([
    [0xf0, 0xf0],
    [0xf1, 0xf3],
    [0xf4, 0xf4],
    [0xf5, 0xff],
  ] as const),
]
/** Next state after a byte of each class that starts a character. */
const onLead = [0, 0, 0, 0, 0, left1, afterE0, left2, afterEd, left2, afterF0, left3, afterF4, 0]
/** Next state after a valid continuation byte. Its class is one of 1 to 3 (0x80 to 0xbf). */
const onContinuation: readonly (readonly [
  state: number,
  classes: readonly number[],
  next: number,
])[] = [
  [left1, [1, 2, 3], startState],
  [left2, [1, 2, 3], left1],
  [afterE0, [3], left1],
  [afterEd, [1, 2], left1],
  [left3, [1, 2, 3], left2],
  [afterF0, [2, 3], left2],
  [afterF4, [1], left2],
]

const classes = new Uint8Array(256)
for (const [index, [first, last]] of classRanges.entries()) classes.fill(index, first, last + 1)

/** The next state, plus 1 if the byte continues a character. */
const transitions = new Uint8Array(byteClassCount * 8)
for (let state = 0; state < transitions.length; state += byteClassCount)
  transitions.set(onLead, state)
for (const [state, on, next] of onContinuation)
  for (const each of on) transitions[state | each] = next | 1

/** Length of a string in code points. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let at = text.length - 1; at > 0; at--) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) continue
    if ((text.charCodeAt(at - 1) & 0xfc00) !== 0xd800) continue
    length--
    at--
  }
  return length
}

/** Occurrences of one byte value below 0x80. */
export function countByte(bytes: Buffer, value: number): number {
  const { words, from, to } = wordView(bytes)
  const edges = countByteIn(bytes, 0, from, value) + countByteIn(bytes, to, bytes.length, value)
  return edges + equalInWords(words, value * 0x01010101)
}

function countByteIn(bytes: Buffer, from: number, to: number, value: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === value) count++
  return count
}

function equalInWords(words: Int32Array, pattern: number): number {
  let count = 0
  for (let at = 0; at < words.length; at += 255) {
    count += sumLanes(equalInRun(words, pattern, at, Math.min(at + 255, words.length)))
  }
  return count
}

/** Processes at most 255 words, so that no lane overflows. */
function equalInRun(words: Int32Array, pattern: number, from: number, to: number): number {
  let lanes = 0
  for (let at = from; at < to; at++) {
    lanes = (lanes + (equalLanes(words[at] as number, pattern) >>> 7)) | 0
  }
  return lanes
}

/** Number of CR LF pairs. */
function countPairs(bytes: Buffer): number {
  const { words, from, to } = wordView(bytes)
  const startsAfterReturn = from > 0 && words.length > 0 && bytes[from - 1] === cr
  const edges = pairsIn(bytes, 0, from) + pairsIn(bytes, Math.max(to, from), bytes.length)
  return edges + pairsInWords(words, startsAfterReturn ? 0x80 : 0)
}

function pairsIn(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = Math.max(from, 1); at < to; at++) {
    if (bytes[at] === lf && bytes[at - 1] === cr) count++
  }
  return count
}

/** `carry` is 0x80 when the byte before the words is a CR. */
function pairsInWords(words: Int32Array, carry: number): number {
  let count = 0
  let carriedReturn = carry
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number
    const returns = equalLanes(word, 0x0d0d0d0d)
    if ((returns | carriedReturn) !== 0) {
      count += sumLanes((((returns << 8) | carriedReturn) & equalLanes(word, 0x0a0a0a0a)) >>> 7)
      carriedReturn = returns >>> 24
    }
  }
  return count
}

/** Counts continuation bytes. Words that are all ASCII, as in most text, take a fast path. */
function countContinuations(bytes: Buffer): number {
  const { words, from, to } = wordView(bytes)
  const edges = continuationsIn(bytes, 0, from) + continuationsIn(bytes, to, bytes.length)
  return edges + continuationsInWords(words)
}

function continuationsIn(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (((bytes[at] as number) & 0xc0) === 0x80) count++
  return count
}

function continuationsInWords(words: Int32Array): number {
  let count = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number
    if ((word & 0x80808080) !== 0) count += sumLanes((word & ~(word << 1) & 0x80808080) >>> 7)
  }
  return count
}

/** The aligned middle of the bytes as 32-bit words, and its start and end. */
function wordView(bytes: Buffer): { words: Int32Array; from: number; to: number } {
  const from = (4 - (bytes.byteOffset & 3)) & 3
  if (bytes.length < from + 4) return { words: noWords, from: bytes.length, to: bytes.length }
  const length = (bytes.length - from) >> 2
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, length)
  return { words, from, to: from + length * 4 }
}

const noWords = new Int32Array(0)

/** The top bit of each lane in which the word equals the pattern. */
function equalLanes(word: number, pattern: number): number {
  const other = word ^ pattern
  return ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other) & 0x80808080
}

function sumLanes(lanes: number): number {
  return (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
}

/** UTF-16 offset of the code point with this index, at most the length. */
export function codePointOffset(text: string, codePoints: number): number {
  if (codePoints <= 0) return 0
  if (codePoints >= text.length) return text.length
  if (!/[\ud800-\udbff]/.test(text)) return codePoints
  let at = 0
  for (let passed = 0; passed < codePoints && at < text.length; passed++) {
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  }
  return at
}

/** Number of line feeds in `text` before offset `before`. */
export function countLineFeeds(text: string, before: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < before; at = text.indexOf('\n', at + 1))
    count++
  return count
}
