// What is known about the texts that a part of a pattern matches: all of them when they are few, else how
// they begin and end, and groups of texts of which each match holds one.
import type { RegexNode } from '../ast.ts'
import { caseVariants, foldRange } from '../fold.ts'

/** A text; with `ignoreCase` its ASCII letters are small and stand for both cases. */
export interface Text {
  text: string
  ignoreCase: boolean
}

export interface Shape {
  /** Every text that matches; undefined when there are too many. */
  exact: readonly Text[] | undefined
  /** Every match begins with one of these and ends with one of those; the empty text says nothing. */
  begins: readonly Text[]
  ends: readonly Text[]
  /** Of each group, every match holds one. */
  held: readonly (readonly Text[])[]
}

const empty: Text = { text: '', ignoreCase: false }
const mostTexts = 32
const mostChars = 64
/** Sets of more characters are as good as any character. */
const mostMembers = 8
/** What is kept of texts whose combinations would be too many. */
const edgeChars = 4
/** Groups that say most are kept, and longer patterns are not looked at to their end. */
const mostGroups = 16
const mostItems = 5000
const shortestBytes = 3

/** Matches nothing but the empty text. */
export const begin: Shape = textShape([empty])

const unknown: Shape = textShape(undefined)

export function textShape(exact: readonly Text[] | undefined): Shape {
  const edges = exact ?? [empty]
  return { exact, begins: edges, ends: edges, held: [] }
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
      if (node.branches.length > mostItems) return unknown
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
      return unknown
    case 'start':
    case 'end':
    case 'boundary':
    case 'look':
      return begin
  }
}

function sequenceShape(items: readonly RegexNode[]): Shape {
  const shape = items.slice(0, mostItems).map(shapeOf).reduce(joinShapes, begin)
  return items.length > mostItems ? joinShapes(shape, unknown) : shape
}

/** One after the other. */
export function joinShapes(first: Shape, second: Shape): Shape {
  const exact = product(first.exact, second.exact)
  if (exact !== undefined) return textShape(exact)
  const between = edgeProduct(first.ends, second.begins)
  const groups = [first.exact, second.exact, between].filter((group) => group !== undefined)
  return {
    exact: undefined,
    begins: cut(product(first.exact, second.begins) ?? first.begins, true),
    ends: cut(product(first.ends, second.exact) ?? second.ends, false),
    held: bestGroups([...first.held, ...second.held, ...groups]),
  }
}

/** Groups worth keeping. */
function bestGroups(groups: readonly (readonly Text[])[]): readonly (readonly Text[])[] {
  const able = [...new Map(groups.map((group) => [groupKey(group), group])).values()].filter(
    (group) => shortest(group) >= shortestBytes,
  )
  if (able.length <= mostGroups) return able
  return able.toSorted((a, b) => shortest(b) - shortest(a)).slice(0, mostGroups)
}

/** Texts of one group followed by texts of another; undefined when there are too many. */
function product(
  first: readonly Text[] | undefined,
  second: readonly Text[] | undefined,
): Text[] | undefined {
  if (first === undefined || second === undefined) return undefined
  if (first.length * second.length > mostTexts) return undefined
  const joined = first.flatMap((a) => second.map((b) => joinTexts(a, b)))
  return joined.some(({ text }) => text.length > mostChars) ? undefined : distinct(joined)
}

function groupKey(group: readonly Text[]): string {
  return group.map(({ text, ignoreCase }) => `${ignoreCase}${text}`).join('\n')
}

function joinTexts(a: Text, b: Text): Text {
  const ignoreCase = a.ignoreCase || b.ignoreCase
  const text = a.text + b.text
  return { text: ignoreCase ? smallAscii(text) : text, ignoreCase }
}

function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function distinct(texts: readonly Text[]): Text[] {
  return [...new Map(texts.map((one) => [`${one.ignoreCase}${one.text}`, one])).values()]
}

/** The texts where two parts meet, shortened before they are given up. */
function edgeProduct(ends: readonly Text[], begins: readonly Text[]): Text[] | undefined {
  const whole = product(ends, begins)
  return whole ?? product(shortened(ends, false), shortened(begins, true))
}

function shortened(texts: readonly Text[], head: boolean): Text[] {
  return distinct(
    texts.map(({ text, ignoreCase }) => {
      const chars = Array.from(text)
      const kept = head ? chars.slice(0, edgeChars) : chars.slice(-edgeChars)
      return { text: kept.join(''), ignoreCase }
    }),
  )
}

/** Edges are bounded in length: what does not fit is shortened. */
function cut(texts: readonly Text[], head: boolean): readonly Text[] {
  return texts.some(({ text }) => text.length > mostChars / 2) ? shortened(texts, head) : texts
}

function eitherShape(shapes: readonly Shape[]): Shape {
  const all = shapes.flatMap((shape) => shape.exact ?? [])
  const isExact = shapes.every(({ exact }) => exact !== undefined)
  if (isExact && all.length <= mostTexts) return textShape(distinct(all))
  const begins = distinct(shapes.flatMap((shape) => shape.begins))
  const ends = distinct(shapes.flatMap((shape) => shape.ends))
  return {
    exact: undefined,
    begins: begins.length <= mostTexts ? begins : [empty],
    ends: ends.length <= mostTexts ? ends : [empty],
    held: bestGroups([0, 1].flatMap((rank) => groupOfRank(shapes, rank))),
  }
}

/** The group of each branch that says most (rank 0) or second most, as one group if all have one. */
function groupOfRank(shapes: readonly Shape[], rank: number): Text[][] {
  const groups = shapes.map(({ exact, held }) => {
    const own = exact === undefined ? held : [...held, exact]
    return own.toSorted((a, b) => shortest(b) - shortest(a))[rank]
  })
  const texts = distinct(groups.flatMap((group) => group ?? []))
  const isWhole = groups.every((group) => group !== undefined)
  return isWhole && texts.length <= mostTexts * 2 ? [texts] : []
}

function shortest(texts: readonly Text[]): number {
  return Math.min(...texts.map(({ text }) => Buffer.byteLength(text)))
}

function repeatShape(node: RegexNode & { kind: 'repeat' }): Shape {
  const body = shapeOf(node.body)
  if (node.max === 0) return begin
  if (node.min === 0) return node.max === 1 ? eitherShape([begin, body]) : unknown
  const copies = Math.min(node.min, mostChars)
  let shape = body
  for (let count = 1; count < copies && shape.exact !== undefined; count++) {
    shape = joinShapes(shape, body)
  }
  if (node.max === copies && shape.exact !== undefined) return shape
  if (node.max === 1) return body
  return {
    exact: undefined,
    begins: shape.begins,
    ends: body.ends,
    held: bestGroups(shape.exact === undefined ? shape.held : [shape.exact]),
  }
}

function setShape(node: RegexNode & { kind: 'set' }): Shape {
  if (node.negated) return unknown
  const members: number[] = []
  for (const item of node.items) {
    if (item.kind === 'class' || item.high - item.low >= mostMembers) return unknown
    for (const [low, high] of foldRange(item.low, item.high, node.fold)) {
      for (let code = low; code <= high; code++) members.push(code)
    }
  }
  return textShape(textsOf([...new Set(members)]))
}

/**
 * Each character as a text, both cases of an ASCII letter as one. Undefined when they are too many or
 * one may also come from ill-formed bytes; line ends are on no line.
 */
function textsOf(codes: readonly number[]): Text[] | undefined {
  const able = codes.every((code) => code !== 0xfffd && !(code >= 0xd800 && code <= 0xdfff))
  if (!able || codes.length > mostMembers || codes.length === 0) return undefined
  return distinct(
    codes.map((code) => {
      const text = String.fromCodePoint(code)
      const both = /[a-zA-Z]/.test(text) && codes.includes(code ^ 0x20)
      return both ? { text: text.toLowerCase(), ignoreCase: true } : { text, ignoreCase: false }
    }),
  )
}
