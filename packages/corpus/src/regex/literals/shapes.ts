// Describes the texts that a part of a pattern matches: all of them when they are few. Otherwise
// their prefixes, suffixes, and groups of which each match contains one text.
import type { RegexNode } from '../ast.ts'
import { caseVariants, foldRange } from '../fold.ts'

/** A text. With `ignoreCase`, ASCII letters are lower case and match both cases. */
export interface Text {
  text: string
  ignoreCase: boolean
}

export interface Shape {
  /** Every text that matches; undefined when there are too many. */
  exact: readonly Text[] | undefined
  /** Every match starts with a prefix and ends with a suffix; the empty text matches anything. */
  prefixes: readonly Text[]
  suffixes: readonly Text[]
  /** Every match contains one text of each group. */
  required: readonly (readonly Text[])[]
}

const empty: Text = { text: '', ignoreCase: false }
const maxTexts = 32
const maxChars = 64
/** Larger sets count as any character. */
const maxMembers = 8
/** Characters kept of each text when a product has too many combinations. */
const edgeChars = 4
/** Limits on the groups retained and on the items of a sequence that are analysed. */
const maxGroups = 16
const maxItems = 5000
/** The index stores trigrams, so it cannot look up shorter texts. */
export const minLiteralBytes = 3

/** Matches only the empty text. */
export const emptyShape: Shape = textShape([empty])

const unknownShape: Shape = textShape(undefined)

export function textShape(exact: readonly Text[] | undefined): Shape {
  const edges = exact ?? [empty]
  return { exact, prefixes: edges, suffixes: edges, required: [] }
}

export function shapeOf(node: RegexNode): Shape {
  switch (node.kind) {
    case 'char':
      return textShape(textsOf(caseVariants(node.code, node.fold)))
    case 'set':
      return setShape(node)
    case 'sequence':
      return sequenceShape(node.items)
    case 'either':
      if (node.branches.length > maxItems) return unknownShape
      return eitherShape(node.branches.map(shapeOf))
    case 'capture':
    case 'atomic':
      return shapeOf(node.body)
    case 'repeat':
      return repeatShape(node)
    case 'conditional':
      return eitherShape([shapeOf(node.yes), shapeOf(node.no)])
    case 'dot':
    case 'backref':
      return unknownShape
    case 'start':
    case 'end':
    case 'boundary':
    case 'look':
      return emptyShape
  }
}

function sequenceShape(items: readonly RegexNode[]): Shape {
  const shape = items.slice(0, maxItems).map(shapeOf).reduce(joinShapes, emptyShape)
  return items.length > maxItems ? joinShapes(shape, unknownShape) : shape
}

/** The shape of a concatenation. */
export function joinShapes(first: Shape, second: Shape): Shape {
  const exact = product(first.exact, second.exact)
  if (exact !== undefined) return textShape(exact)
  const between = edgeProduct(first.suffixes, second.prefixes)
  const groups = [first.exact, second.exact, between].filter((group) => group !== undefined)
  return {
    exact: undefined,
    prefixes: boundEdges(product(first.exact, second.prefixes) ?? first.prefixes, true),
    suffixes: boundEdges(product(first.suffixes, second.exact) ?? second.suffixes, false),
    required: bestGroups([...first.required, ...second.required, ...groups]),
  }
}

/** The most selective groups. */
function bestGroups(groups: readonly (readonly Text[])[]): readonly (readonly Text[])[] {
  const usable = [...new Map(groups.map((group) => [groupKey(group), group])).values()].filter(
    (group) => minByteLength(group) >= minLiteralBytes,
  )
  if (usable.length <= maxGroups) return usable
  return usable.toSorted((a, b) => minByteLength(b) - minByteLength(a)).slice(0, maxGroups)
}

/** All concatenations of two lists; undefined when there are too many. */
function product(
  first: readonly Text[] | undefined,
  second: readonly Text[] | undefined,
): Text[] | undefined {
  if (first === undefined || second === undefined) return undefined
  if (first.length * second.length > maxTexts) return undefined
  const joined = first.flatMap((a) => second.map((b) => joinTexts(a, b)))
  return joined.some(({ text }) => text.length > maxChars) ? undefined : distinct(joined)
}

function groupKey(group: readonly Text[]): string {
  return group.map(({ text, ignoreCase }) => `${ignoreCase}${text}`).join('\n')
}

function joinTexts(a: Text, b: Text): Text {
  const ignoreCase = a.ignoreCase || b.ignoreCase
  const text = a.text + b.text
  return { text: ignoreCase ? lowerAscii(text) : text, ignoreCase }
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function distinct(texts: readonly Text[]): Text[] {
  return [...new Map(texts.map((one) => [`${one.ignoreCase}${one.text}`, one])).values()]
}

/** The texts across the border of two parts; shortened if there are too many combinations. */
function edgeProduct(suffixes: readonly Text[], prefixes: readonly Text[]): Text[] | undefined {
  const full = product(suffixes, prefixes)
  return full ?? product(shortenTexts(suffixes, false), shortenTexts(prefixes, true))
}

function shortenTexts(texts: readonly Text[], head: boolean): Text[] {
  return distinct(
    texts.map(({ text, ignoreCase }) => {
      const chars = Array.from(text)
      const edge = head ? chars.slice(0, edgeChars) : chars.slice(-edgeChars)
      return { text: edge.join(''), ignoreCase }
    }),
  )
}

/** Shortens edges that exceed the length limit. */
function boundEdges(texts: readonly Text[], head: boolean): readonly Text[] {
  return texts.some(({ text }) => text.length > maxChars / 2) ? shortenTexts(texts, head) : texts
}

function eitherShape(shapes: readonly Shape[]): Shape {
  const all = shapes.flatMap((shape) => shape.exact ?? [])
  const isExact = shapes.every(({ exact }) => exact !== undefined)
  if (isExact && all.length <= maxTexts) return textShape(distinct(all))
  const begins = distinct(shapes.flatMap((shape) => shape.prefixes))
  const ends = distinct(shapes.flatMap((shape) => shape.suffixes))
  return {
    exact: undefined,
    prefixes: begins.length <= maxTexts ? begins : [empty],
    suffixes: ends.length <= maxTexts ? ends : [empty],
    required: bestGroups([0, 1].flatMap((rank) => groupAtRank(shapes, rank))),
  }
}

/**
 * Merges each branch's most selective group (rank 0) or second (rank 1). Empty unless every branch
 * has one.
 */
function groupAtRank(shapes: readonly Shape[], rank: number): Text[][] {
  const groups = shapes.map(({ exact, required: held }) => {
    const candidates = exact === undefined ? held : [...held, exact]
    return candidates.toSorted((a, b) => minByteLength(b) - minByteLength(a))[rank]
  })
  const texts = distinct(groups.flatMap((group) => group ?? []))
  const isComplete = groups.every((group) => group !== undefined)
  return isComplete && texts.length <= maxTexts * 2 ? [texts] : []
}

function minByteLength(texts: readonly Text[]): number {
  return Math.min(...texts.map(({ text }) => Buffer.byteLength(text)))
}

function repeatShape(node: RegexNode & { kind: 'repeat' }): Shape {
  const body = shapeOf(node.body)
  if (node.max === 0) return emptyShape
  if (node.min === 0) return node.max === 1 ? eitherShape([emptyShape, body]) : unknownShape
  const copies = Math.min(node.min, maxChars)
  let shape = body
  for (let count = 1; count < copies && shape.exact !== undefined; count++) {
    shape = joinShapes(shape, body)
  }
  if (node.max === copies && shape.exact !== undefined) return shape
  if (node.max === 1) return body
  return {
    exact: undefined,
    prefixes: shape.prefixes,
    suffixes: body.suffixes,
    required: bestGroups(shape.exact === undefined ? shape.required : [shape.exact]),
  }
}

function setShape(node: RegexNode & { kind: 'set' }): Shape {
  if (node.negated) return unknownShape
  const members: number[] = []
  for (const item of node.items) {
    if (item.kind === 'class' || item.high - item.low >= maxMembers) return unknownShape
    for (const [low, high] of foldRange(item.low, item.high, node.fold)) {
      for (let code = low; code <= high; code++) members.push(code)
    }
  }
  return textShape(textsOf([...new Set(members)]))
}

/**
 * Each character as a text; both cases of an ASCII letter become one. Undefined when there are too
 * many or one may come from ill-formed bytes.
 */
function textsOf(codes: readonly number[]): Text[] | undefined {
  const isDecodable = codes.every((code) => code !== 0xfffd && !(code >= 0xd800 && code <= 0xdfff))
  if (!isDecodable || codes.length > maxMembers || codes.length === 0) return undefined
  return distinct(
    codes.map((code) => {
      const text = String.fromCodePoint(code)
      const hasBothCases = /[a-zA-Z]/.test(text) && codes.includes(code ^ 0x20)
      return hasBothCases
        ? { text: text.toLowerCase(), ignoreCase: true }
        : { text, ignoreCase: false }
    }),
  )
}
