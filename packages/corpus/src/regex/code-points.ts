// Sets of code points as sorted ranges, and the ranges that a single-character node matches.
import type { RegexNode, SetItem } from './ast.ts'
import { caseVariants, foldRange } from './fold.ts'

/** First and last code point of each range, alternating. Ranges are sorted and do not touch. */
export type Ranges = readonly number[]

export type CharNode = RegexNode & { kind: 'char' | 'set' | 'dot' }

export const lastCodePoint = 0x10ffff

/**
 * The code points that a node matches. `.` includes line ends, because no searched line contains
 * one.
 */
export function rangesOf(node: CharNode): Ranges {
  if (node.kind === 'dot') return [0, lastCodePoint]
  if (node.kind === 'char') {
    return mergeRanges(caseVariants(node.code, node.fold).map((code) => [code, code]))
  }
  const pairs = node.items.flatMap((item) =>
    item.kind === 'range' ? foldRange(item.low, item.high, node.fold) : pairsOf(classRanges(item)),
  )
  const ranges = mergeRanges(pairs)
  return node.negated ? complement(ranges) : ranges
}

/** Ranges of `\w`, which also define word boundaries. */
export function wordRanges(ascii: boolean): Ranges {
  return ascii ? asciiClasses.w : unicodeClass('w')
}

function classRanges(item: SetItem & { kind: 'class' }): Ranges {
  const ranges = item.ascii ? asciiClasses[item.name] : unicodeClass(item.name)
  return item.negated ? complement(ranges) : ranges
}

const asciiClasses = {
  d: [0x30, 0x39],
  s: [0x09, 0x0d, 0x20, 0x20],
  w: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
} satisfies Record<string, Ranges>

const spaces: Ranges = [
  ...[0x09, 0x0d, 0x1c, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
]

const scannedClasses: { d?: Ranges; w?: Ranges } = {}

function unicodeClass(name: 'd' | 's' | 'w'): Ranges {
  if (name === 's') return spaces
  scannedClasses[name] ??= scanClass(name === 'd' ? /\p{Nd}+/gu : /[\p{L}\p{N}_]+/gu)
  return scannedClasses[name]
}

/** Planes from this one on contain no letters or digits. */
const planeCount = 4
const planeSize = 0x10000

/** Derives the class from V8, so that all engines use the same version of Unicode. */
function scanClass(expression: RegExp): Ranges {
  const pairs: [number, number][] = []
  for (let plane = 0; plane < planeCount; plane++) {
    const width = plane === 0 ? 1 : 2
    for (const { 0: run, index } of planeText(plane).matchAll(expression)) {
      const first = plane * planeSize + index / width
      pairs.push([first, first + run.length / width - 1])
    }
  }
  return mergeRanges(pairs)
}

/** All characters of a plane in code point order. Surrogates are replaced by U+0000. */
function planeText(plane: number): string {
  const units = new Uint16Array(plane === 0 ? planeSize : planeSize * 2)
  for (let at = 0; at < planeSize; at++) {
    if (plane === 0) units[at] = at >= 0xd800 && at <= 0xdfff ? 0 : at
    else {
      units[at * 2] = 0xd800 + ((plane - 1) << 6) + (at >> 10)
      units[at * 2 + 1] = 0xdc00 + (at & 0x3ff)
    }
  }
  return Buffer.from(units.buffer).toString('utf16le')
}

export function pairsOf(ranges: Ranges): [number, number][] {
  const pairs: [number, number][] = []
  for (let at = 0; at < ranges.length; at += 2) {
    pairs.push([ranges[at] as number, ranges[at + 1] as number])
  }
  return pairs
}

function mergeRanges(pairs: [number, number][]): Ranges {
  const ranges: number[] = []
  for (const [low, high] of pairs.toSorted((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1)
    if (last === undefined || low > last + 1) ranges.push(low, high)
    else if (high > last) ranges[ranges.length - 1] = high
  }
  return ranges
}

function complement(ranges: Ranges): Ranges {
  const gaps: number[] = []
  let from = 0
  for (let at = 0; at < ranges.length; at += 2) {
    const [low, high] = [ranges[at] as number, ranges[at + 1] as number]
    if (low > from) gaps.push(from, low - 1)
    from = high + 1
  }
  if (from <= lastCodePoint) gaps.push(from, lastCodePoint)
  return gaps
}
