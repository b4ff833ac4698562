// Writes a pattern as JavaScript regular expressions: one for subjects that are all ASCII, which V8
// runs fastest, and one for all others. For lines, no part of a match can hold a line feed, so the
// expression may be run over a whole file and finds what it would find line by line.
import type { Fold, Regex, RegexNode } from './ast.ts'
import { caseVariants } from './fold.ts'
import { asciiSet, hex, point, unicodeSet } from './sets.ts'

export type Target = 'ascii' | 'unicode'

export interface EmitOptions {
  target: Target
  /** The subject is lines joined by `\n`, each searched for itself. */
  lines: boolean
}

interface Emitter extends EmitOptions {
  /** JavaScript's number of each group of the pattern. */
  numbers: Map<number, number>
  used: number
}

const wordClass = String.raw`[\p{L}\p{N}_]`

/** Source text for `new RegExp`; flags are `g` for ASCII and `gu` for the rest. */
export function emitRegex(regex: Regex, options: EmitOptions): string {
  const text = emit(regex.body, { ...options, numbers: new Map(), used: 0 })
  // What may begin with anything begins a line if it is on it at all; no other place need be tried.
  return options.lines && beginsWithAnything(regex.body) ? emitStart + text : text
}

const emitStart = String.raw`(?<![^\n])`

function beginsWithAnything(node: RegexNode): boolean {
  if (node.kind === 'sequence')
    return node.items[0] !== undefined && beginsWithAnything(node.items[0])
  if (node.kind === 'either') return node.branches.every(beginsWithAnything)
  const open = node.kind === 'repeat' && node.max === Infinity && node.mode !== 'possessive'
  return open && node.body.kind === 'dot'
}

function emit(node: RegexNode, to: Emitter): string {
  switch (node.kind) {
    case 'char':
      return emitChar(node.code, node.fold, to)
    case 'set':
      return to.target === 'ascii' ? asciiSet(node, to.lines) : unicodeSet(node, to.lines)
    case 'dot':
      return node.all && !to.lines ? '[^]' : String.raw`[^\n]`
    case 'start':
      return to.lines || node.everyLine ? emitStart : '(?<![^])'
    case 'end':
      return emitEnd(node.everyLine, node.strict, to)
    case 'boundary':
      return emitBoundary(node.negated, node.ascii || to.target === 'ascii', to)
    case 'sequence':
      return node.items.map((item) => emitItem(item, to)).join('')
    case 'either':
      return `(?:${node.branches.map((branch) => emit(branch, to)).join('|')})`
    case 'capture':
      to.numbers.set(node.group, ++to.used)
      return `(${emit(node.body, to)})`
    case 'atomic':
      return emitAtomic(node.body, to)
    case 'repeat':
      return emitRepeat(node, to)
    case 'look':
      return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${emit(node.body, to)})`
    case 'backref':
      return `(?:\\${to.numbers.get(node.group)})`
    case 'conditional':
      throw new Error('conditions have no form in JavaScript')
  }
}

/** A sequence inside a sequence came from a group and keeps its brackets. */
function emitItem(node: RegexNode, to: Emitter): string {
  return node.kind === 'sequence' ? `(?:${emit(node, to)})` : emit(node, to)
}

function emitChar(code: number, fold: Fold, to: Emitter): string {
  const possible = caseVariants(code, fold).filter((one) => {
    if (to.lines && one === 10) return false
    return to.target === 'unicode' || one < 0x80
  })
  const texts = possible.map((one) => charText(one, to.target))
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join('')}]`
}

function charText(code: number, target: Target): string {
  const plain = /^[A-Za-z0-9_]$/.test(String.fromCodePoint(code))
  if (plain) return String.fromCodePoint(code)
  return target === 'ascii' ? hex(code) : point(code)
}

function emitEnd(everyLine: boolean, strict: boolean, to: Emitter): string {
  if (to.lines || everyLine) return String.raw`(?![^\n])`
  return strict ? '(?![^])' : endOrLastFeed
}

/** The end, or the line feed right before it. */
const endOrLastFeed = String.raw`(?=\n?(?![^]))`

function emitBoundary(negated: boolean, ascii: boolean, to: Emitter): string {
  const word = ascii ? '[A-Za-z0-9_]' : wordClass
  const native = to.target === 'ascii'
  if (!negated) {
    return native ? String.raw`\b` : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
  }
  // An empty subject has no boundary, and no place without one either.
  const any = to.lines ? String.raw`[^\n]` : '[^]'
  const inside = native ? String.raw`\B` : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`
  return `(?:(?<=${any})|(?=${any}))${inside}`
}

/** JavaScript has no atomic groups: a look-ahead is one, and a reference to it takes what it saw. */
function emitAtomic(body: RegexNode, to: Emitter): string {
  const number = ++to.used
  return `(?:(?=(${emit(body, to)}))\\${number})`
}

function emitRepeat(node: RegexNode & { kind: 'repeat' }, to: Emitter): string {
  if (node.mode === 'possessive') return emitAtomic({ ...node, mode: 'greedy' }, to)
  const single = ['char', 'set', 'dot', 'capture'].includes(node.body.kind)
  const text = emit(node.body, to)
  const body = single && text !== '' ? text : `(?:${text})`
  return body + quantifier(node.min, node.max) + (node.mode === 'lazy' ? '?' : '')
}

function quantifier(min: number, max: number): string {
  if (min === 0 && max === Infinity) return '*'
  if (min === 1 && max === Infinity) return '+'
  if (min === 0 && max === 1) return '?'
  if (max === Infinity) return `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
