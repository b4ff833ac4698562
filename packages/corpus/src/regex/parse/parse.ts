// Parses Python's pattern language and reports errors with Python's messages. Two extensions:
// lookbehind may have any width, and `\z` means `\Z`.
import { ZeeError } from '@zee/core/errors'
import type { Regex, RegexNode, RepeatMode } from '../ast.ts'
import { charEscape, classItem, octal } from './escapes.ts'
import { parseGroup } from './groups.ts'
import { parseSet } from './set.ts'
import type { Flags, ParseState } from './state.ts'
import { checkReference, foldOf } from './state.ts'
import { PatternSource } from './source.ts'

export interface RegexOptions {
  /** As if the pattern started with `(?i)`. */
  ignoreCase?: boolean
}

const maxPatternChars = 1 << 20
const repeatLimit = 4_294_967_295

export function parseRegex(pattern: string, options: RegexOptions = {}): Regex {
  if (pattern.length > maxPatternChars) {
    throw new ZeeError('regex', `regex is too long: ${pattern.length} characters, at most 1048576`)
  }
  const flags = { ignoreCase: options.ignoreCase === true, multiline: false, dotAll: false }
  const state: ParseState = {
    source: new PatternSource(pattern),
    flags: { ...flags, ascii: false, verbose: false },
    nextGroup: 1,
    names: new Map(),
    closed: new Set(),
    lookbehindStart: undefined,
    forwardReferences: new Map(),
    inner: { branches: parseBranches, sequence: parseSequence },
  }
  try {
    return parsePattern(state)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ZeeError('regex', 'regex nests too deeply', { cause: error })
  }
}

function parsePattern(state: ParseState): Regex {
  const { source } = state
  const body = parseBranches(state, state.flags, 0)
  if (source.next !== undefined) throw source.error('unbalanced parenthesis')
  for (const [group, position] of state.forwardReferences) {
    if (group >= state.nextGroup) throw source.errorAt(`invalid group reference ${group}`, position)
  }
  return { body, groups: state.nextGroup - 1 }
}

/** Parses alternatives up to a closing parenthesis or the end. */
function parseBranches(state: ParseState, flags: Flags, depth: number): RegexNode {
  const branches: RegexNode[] = []
  do {
    // Flags at the start of the pattern apply to all of its branches.
    const current = depth === 0 ? state.flags : flags
    branches.push(parseSequence(state, current, depth + 1, depth === 0 && branches.length === 0))
  } while (state.source.match('|'))
  return branches.length === 1 ? (branches[0] as RegexNode) : { kind: 'either', branches }
}

/** Parses one branch. `first`: flags for the entire pattern are still allowed. */
function parseSequence(state: ParseState, outer: Flags, depth: number, first: boolean): RegexNode {
  const { source } = state
  let flags = outer
  const items: RegexNode[] = []
  while (source.next !== undefined && source.next !== '|' && source.next !== ')') {
    const token = source.take() as string
    if (flags.verbose && skipVerbose(source, token)) continue
    if (token === '(') {
      const parsed = parseGroup(state, flags, depth, first && items.length === 0)
      if (parsed === 'flags') flags = state.flags
      else if (parsed !== undefined) items.push(parsed)
      continue
    }
    const range = repeatRange(source, token)
    if (range === undefined) items.push(parseAtom(state, flags, token))
    else items.push(applyRepeat(source, items.pop(), range))
  }
  return items.length === 1 ? (items[0] as RegexNode) : { kind: 'sequence', items }
}

/** Skips white space and comments in verbose mode. */
function skipVerbose(source: PatternSource, token: string): boolean {
  if (token === '#') {
    for (let next = source.take(); next !== undefined && next !== '\n';) next = source.take()
    return true
  }
  return /^[ \t\n\r\v\f]$/.test(token)
}

interface Range {
  min: number
  max: number
  /** Position of the quantifier, for errors. */
  position: number
}

/** The bounds of a quantifier; undefined for a brace that is an ordinary character. */
function repeatRange(source: PatternSource, token: string): Range | undefined {
  const start = source.tell()
  const position = start - 1
  if (token === '?') return { min: 0, max: 1, position }
  if (token === '*') return { min: 0, max: Infinity, position }
  if (token === '+') return { min: 1, max: Infinity, position }
  if (token !== '{' || source.next === '}') return undefined
  const low = source.takeWhile(Infinity, /^[0-9]$/)
  const high = source.match(',') ? source.takeWhile(Infinity, /^[0-9]$/) : low
  if (!source.match('}')) {
    source.seek(start)
    return undefined
  }
  const min = low === '' ? 0 : Number(low)
  const max = high === '' ? Infinity : Number(high)
  if (min >= repeatLimit || (max >= repeatLimit && high !== '')) {
    throw new ZeeError('regex', 'the repetition number is too large')
  }
  if (max < min) throw source.errorAt('min repeat greater than max repeat', start)
  return { min, max, position }
}

function applyRepeat(source: PatternSource, body: RegexNode | undefined, range: Range): RegexNode {
  const { min, max, position } = range
  const anchors = ['start', 'end', 'boundary']
  if (body === undefined || anchors.includes(body.kind)) {
    throw source.errorAt('nothing to repeat', position)
  }
  if (body.kind === 'repeat') throw source.errorAt('multiple repeat', position)
  let mode: RepeatMode = 'greedy'
  if (source.match('?')) mode = 'lazy'
  else if (source.match('+')) mode = 'possessive'
  return { kind: 'repeat', body, min, max, mode }
}

function parseAtom(state: ParseState, flags: Flags, token: string): RegexNode {
  const { multiline, ascii } = flags
  const fold = foldOf(flags)
  if (token === '[') return parseSet(state.source, flags)
  if (token === '.') return { kind: 'dot', all: flags.dotAll }
  if (token === '^') return { kind: 'start', multiline }
  if (token === '$') return { kind: 'end', multiline, strict: false }
  if (!token.startsWith('\\')) return { kind: 'char', code: token.codePointAt(0) as number, fold }
  if (token === '\\A') return { kind: 'start', multiline: false }
  if (token === '\\Z' || token === '\\z') return { kind: 'end', multiline: false, strict: true }
  if (token === '\\b' || token === '\\B') {
    return { kind: 'boundary', negated: token === '\\B', ascii }
  }
  const charClass = classItem(token, ascii)
  if (charClass !== undefined)
    return { kind: 'set', items: [charClass], negated: false, fold: 'none' }
  if (/^\\[0-9]$/.test(token)) return parseDigits(state, flags, token.slice(1))
  return { kind: 'char', code: charEscape(state.source, token), fold }
}

/** `\0`, `\012` and `\101` are characters; `\1` and `\12` are group references. */
function parseDigits(state: ParseState, flags: Flags, first: string): RegexNode {
  const { source } = state
  const fold = foldOf(flags)
  if (first === '0') {
    return { kind: 'char', code: octal(source, first + source.takeWhile(2, /^[0-7]$/)), fold }
  }
  let digits = first + source.takeWhile(1, /^[0-9]$/)
  if (/^[0-7]{2}$/.test(digits) && /^[0-7]$/.test(source.next ?? '')) {
    digits += source.take()
    return { kind: 'char', code: octal(source, digits), fold }
  }
  const group = Number(digits)
  if (group >= state.nextGroup) {
    throw source.error(`invalid group reference ${group}`, digits.length)
  }
  checkReference(state, group, digits.length + 1)
  return { kind: 'backref', group, fold }
}
