// Translates a pattern into JavaScript regular expressions: one for ASCII subjects, which V8 runs
// fastest, and one for all others. In `lines` mode no part of a match can contain a line feed. One
// run over a file then finds the same matches as a run per line.
import type { Fold, Regex, RegexNode } from './ast.ts'
import { caseVariants } from './fold.ts'
import { asciiSet, hexEscape, codePointEscape, unicodeSet } from './sets.ts'

export type Target = 'ascii' | 'unicode'

export interface EmitOptions {
  target: Target
  /** The subject is lines joined by `\n`; each line is searched on its own. */
  lines: boolean
}

interface Emitter extends EmitOptions {
  /** JavaScript's group number for each group of the pattern. */
  groupNumbers: Map<number, number>
  groupCount: number
}

const wordClass = String.raw`[\p{L}\p{N}_]`

/** Source for `new RegExp`; use flag `g` for ASCII and `gu` for Unicode. */
export function emitRegex(regex: Regex, options: EmitOptions): string {
  const text = emit(regex.body, { ...options, groupNumbers: new Map(), groupCount: 0 })
  // A pattern that starts with `.*` matches at the line start if it matches the line at all, so
  // only line starts are tried.
  return options.lines && startsWithAnything(regex.body) ? lineStart + text : text
}

const lineStart = String.raw`(?<![^\n])`

function startsWithAnything(node: RegexNode): boolean {
  if (node.kind === 'sequence')
    return node.items[0] !== undefined && startsWithAnything(node.items[0])
  if (node.kind === 'either') return node.branches.every(startsWithAnything)
  const isUnbounded = node.kind === 'repeat' && node.max === Infinity && node.mode !== 'possessive'
  return isUnbounded && node.body.kind === 'dot'
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
      return to.lines || node.multiline ? lineStart : '(?<![^])'
    case 'end':
      return emitEnd(node.multiline, node.strict, to)
    case 'boundary':
      return emitBoundary(node.negated, node.ascii || to.target === 'ascii', to)
    case 'sequence':
      return node.items.map((item) => emitItem(item, to)).join('')
    case 'either':
      return `(?:${node.branches.map((branch) => emit(branch, to)).join('|')})`
    case 'capture':
      to.groupNumbers.set(node.group, ++to.groupCount)
      return `(${emit(node.body, to)})`
    case 'atomic':
      return emitAtomic(node.body, to)
    case 'repeat':
      return emitRepeat(node, to)
    case 'look':
      return `(?${node.backward ? '<' : ''}${node.negated ? '!' : '='}${emit(node.body, to)})`
    case 'backref':
      return `(?:\\${to.groupNumbers.get(node.group)})`
    case 'conditional':
      throw new Error('conditions have no form in JavaScript')
  }
}

/** A nested sequence came from a group and keeps its parentheses. */
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
  return target === 'ascii' ? hexEscape(code) : codePointEscape(code)
}

function emitEnd(multiline: boolean, strict: boolean, to: Emitter): string {
  if (to.lines || multiline) return String.raw`(?![^\n])`
  return strict ? '(?![^])' : endOrFinalLineFeed
}

/** Matches at the end and before a final line feed. */
const endOrFinalLineFeed = String.raw`(?=\n?(?![^]))`

function emitBoundary(negated: boolean, ascii: boolean, to: Emitter): string {
  const word = ascii ? '[A-Za-z0-9_]' : wordClass
  const native = to.target === 'ascii'
  if (!negated) {
    return native ? String.raw`\b` : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
  }
  // In an empty subject neither `\b` nor `\B` matches, as in Python.
  const any = to.lines ? String.raw`[^\n]` : '[^]'
  const inside = native ? String.raw`\B` : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`
  return `(?:(?<=${any})|(?=${any}))${inside}`
}

/**
 * JavaScript has no atomic groups. A look-ahead never backtracks, so a reference to its capture is
 * atomic.
 */
function emitAtomic(body: RegexNode, to: Emitter): string {
  const number = ++to.groupCount
  return `(?:(?=(${emit(body, to)}))\\${number})`
}

function emitRepeat(node: RegexNode & { kind: 'repeat' }, to: Emitter): string {
  if (node.mode === 'possessive') return emitAtomic({ ...node, mode: 'greedy' }, to)
  const isSingle = ['char', 'set', 'dot', 'capture'].includes(node.body.kind)
  const text = emit(node.body, to)
  const body = isSingle && text !== '' ? text : `(?:${text})`
  return body + quantifier(node.min, node.max) + (node.mode === 'lazy' ? '?' : '')
}

function quantifier(min: number, max: number): string {
  if (min === 0 && max === Infinity) return '*'
  if (min === 1 && max === Infinity) return '+'
  if (min === 0 && max === 1) return '?'
  if (max === Infinity) return `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
