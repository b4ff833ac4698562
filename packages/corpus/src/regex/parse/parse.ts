// Reads the Python-flavoured pattern language. What Python refuses is refused in the same words;
// beyond it, look-behind may have any width and `\z` means `\Z`.
import { ZeeError } from '@zee/core/errors'
import type { Regex, RegexNode, RepeatMode } from '../ast.ts'
import { charEscape, classItem, octal } from './escapes.ts'
import { parseGroup } from './groups.ts'
import { parseSet } from './set.ts'
import type { Flags, ParseState } from './state.ts'
import { checkReference, foldOf } from './state.ts'
import { PatternSource } from './source.ts'

export interface RegexOptions {
  /** As if the pattern began with `(?i)`. */
  ignoreCase?: boolean
}

const maxPatternChars = 1 << 20
const unbounded = 4_294_967_295

export function parseRegex(pattern: string, options: RegexOptions = {}): Regex {
  if (pattern.length > maxPatternChars) {
    throw new ZeeError('regex', `regex is too long: ${pattern.length} characters, at most 1048576`)
  }
  const flags = { fold: options.ignoreCase === true, everyLine: false, dotAll: false }
  const state: ParseState = {
    source: new PatternSource(pattern),
    flags: { ...flags, ascii: false, verbose: false },
    groups: 1,
    names: new Map(),
    closed: new Set(),
    behindFrom: undefined,
    forward: new Map(),
    inner: { branches: parseBranches, sequence: parseSequence },
  }
  try {
    return parseWhole(state)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ZeeError('regex', 'regex nests too deeply', { cause: error })
  }
}

function parseWhole(state: ParseState): Regex {
  const { source } = state
  const body = parseBranches(state, state.flags, 0)
  if (source.next !== undefined) throw source.error('unbalanced parenthesis')
  for (const [group, position] of state.forward) {
    if (group >= state.groups) throw source.errorAt(`invalid group reference ${group}`, position)
  }
  return { body, groups: state.groups - 1 }
}

/** Alternatives up to a closing parenthesis or the end. */
function parseBranches(state: ParseState, flags: Flags, depth: number): RegexNode {
  const branches: RegexNode[] = []
  do {
    // Flags at the very start hold for every branch of the whole pattern.
    const current = depth === 0 ? state.flags : flags
    branches.push(parseSequence(state, current, depth + 1, depth === 0 && branches.length === 0))
  } while (state.source.match('|'))
  return branches.length === 1 ? (branches[0] as RegexNode) : { kind: 'either', branches }
}

/** One branch. `first` says that flags for the whole pattern may still be given. */
function parseSequence(state: ParseState, outer: Flags, depth: number, first: boolean): RegexNode {
  const { source } = state
  let flags = outer
  const items: RegexNode[] = []
  while (source.next !== undefined && source.next !== '|' && source.next !== ')') {
    const token = source.take() as string
    if (flags.verbose && skipped(source, token)) continue
    if (token === '(') {
      const parsed = parseGroup(state, flags, depth, first && items.length === 0)
      if (parsed === 'flags') flags = state.flags
      else if (parsed !== undefined) items.push(parsed)
      continue
    }
    const range = repeatRange(source, token)
    if (range === undefined) items.push(parseAtom(state, flags, token))
    else items.push(repeated(source, items.pop(), range))
  }
  return items.length === 1 ? (items[0] as RegexNode) : { kind: 'sequence', items }
}

/** White space and comments of the verbose form. */
function skipped(source: PatternSource, token: string): boolean {
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

/** The bounds of a quantifier; a brace that is none is an ordinary character. */
function repeatRange(source: PatternSource, token: string): Range | undefined {
  const here = source.tell()
  const position = here - 1
  if (token === '?') return { min: 0, max: 1, position }
  if (token === '*') return { min: 0, max: Infinity, position }
  if (token === '+') return { min: 1, max: Infinity, position }
  if (token !== '{' || source.next === '}') return undefined
  const low = source.takeWhile(Infinity, /^[0-9]$/)
  const high = source.match(',') ? source.takeWhile(Infinity, /^[0-9]$/) : low
  if (!source.match('}')) {
    source.seek(here)
    return undefined
  }
  const min = low === '' ? 0 : Number(low)
  const max = high === '' ? Infinity : Number(high)
  if (min >= unbounded || (max >= unbounded && high !== '')) {
    throw new ZeeError('regex', 'the repetition number is too large')
  }
  if (max < min) throw source.errorAt('min repeat greater than max repeat', here)
  return { min, max, position }
}

function repeated(source: PatternSource, body: RegexNode | undefined, range: Range): RegexNode {
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
  const { everyLine, ascii } = flags
  const fold = foldOf(flags)
  if (token === '[') return parseSet(state.source, flags)
  if (token === '.') return { kind: 'dot', all: flags.dotAll }
  if (token === '^') return { kind: 'start', everyLine }
  if (token === '$') return { kind: 'end', everyLine, strict: false }
  if (!token.startsWith('\\')) return { kind: 'char', code: token.codePointAt(0) as number, fold }
  if (token === '\\A') return { kind: 'start', everyLine: false }
  if (token === '\\Z' || token === '\\z') return { kind: 'end', everyLine: false, strict: true }
  if (token === '\\b' || token === '\\B') {
    return { kind: 'boundary', negated: token === '\\B', ascii }
  }
  const known = classItem(token, ascii)
  if (known !== undefined) return { kind: 'set', items: [known], negated: false, fold: 'none' }
  if (/^\\[0-9]$/.test(token)) return parseDigits(state, flags, token.slice(1))
  return { kind: 'char', code: charEscape(state.source, token), fold }
}

/** `\0`, `\012`, `\101` are characters; `\1`, `\12` refer to groups. */
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
  if (group >= state.groups) {
    throw source.error(`invalid group reference ${group}`, digits.length)
  }
  checkReference(state, group, digits.length + 1)
  return { kind: 'backref', group, fold }
}
