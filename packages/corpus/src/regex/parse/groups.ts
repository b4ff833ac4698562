// Parses groups, look-around, conditionals, comments and inline flags: everything that starts with
// `(`.
import { pythonRepr } from '../../python-repr.ts'
import type { RegexNode } from '../ast.ts'
import { checkLookbehind, checkReference, foldOf } from './state.ts'
import type { Flags, ParseState } from './state.ts'
import { codePointCount } from './source.ts'
import type { PatternSource } from './source.ts'

/**
 * Parses the rest of a group after its `(`. Returns 'flags' when it set flags for the entire
 * pattern.
 */
export function parseGroup(
  state: ParseState,
  flags: Flags,
  depth: number,
  first: boolean,
): RegexNode | 'flags' | undefined {
  const { source } = state
  const start = source.tell() - 1
  const group: Group = { state, flags, depth, start }
  if (!source.match('?')) return capture(group, undefined)
  const char = extension(source)
  if (char === 'P') return pythonGroup(group)
  if (char === ':') return body(group, flags)
  if (char === '>') return { kind: 'atomic', body: body(group, flags) }
  if (char === '#') return comment(group)
  if (char === '=' || char === '!') return look(group, false, char === '!')
  if (char === '<') return lookbehind(group)
  if (char === '(') return conditional(group)
  if (!/^[iLmsxau-]$/.test(char)) {
    throw source.error(`unknown extension ?${char}`, codePointCount(char) + 1)
  }
  const scoped = parseFlags(state, flags, char)
  if (scoped !== undefined) return body(group, scoped)
  if (first) return 'flags'
  throw source.errorAt('global flags not at the start of the expression', start)
}

interface Group {
  state: ParseState
  flags: Flags
  depth: number
  /** Position of the opening parenthesis. */
  start: number
}

function extension(source: PatternSource): string {
  const char = source.take()
  if (char === undefined) throw source.error('unexpected end of pattern')
  return char
}

/** Parses the contents and the closing parenthesis. */
function body({ state, depth, start }: Group, flags: Flags): RegexNode {
  const node = state.inner.branches(state, flags, depth + 1)
  close(state.source, start)
  // A group of its own, because Python allows a quantifier after the group but not after its bare
  // contents.
  const isBare = ['repeat', 'start', 'end', 'boundary'].includes(node.kind)
  return isBare ? { kind: 'either', branches: [node] } : node
}

function close(source: PatternSource, start: number): void {
  if (!source.match(')')) {
    throw source.errorAt('missing ), unterminated subpattern', start)
  }
}

function capture(group: Group, name: string | undefined): RegexNode {
  const { state, flags, depth, start } = group
  const number = state.nextGroup++
  if (name !== undefined) {
    const earlier = state.names.get(name)
    if (earlier !== undefined) {
      const problem = `redefinition of group name ${pythonRepr(name)}`
      const which = `as group ${number}; was group ${earlier}`
      throw state.source.error(`${problem} ${which}`, codePointCount(name) + 1)
    }
    state.names.set(name, number)
  }
  const node = state.inner.branches(state, flags, depth + 1)
  close(state.source, start)
  state.closed.add(number)
  return { kind: 'capture', group: number, body: node }
}

/** Parses `(?P<name>...)` and `(?P=name)`. */
function pythonGroup(group: Group): RegexNode {
  const { source } = group.state
  if (source.match('<')) {
    const name = source.takeUntil('>', 'group name')
    source.checkGroupName(name)
    return capture(group, name)
  }
  if (source.match('=')) {
    const name = source.takeUntil(')', 'group name')
    source.checkGroupName(name)
    const number = groupNumber(group.state, name)
    checkReference(group.state, number, codePointCount(name) + 1)
    return { kind: 'backref', group: number, fold: foldOf(group.flags) }
  }
  const char = extension(source)
  throw source.error(`unknown extension ?P${char}`, codePointCount(char) + 2)
}

function groupNumber(state: ParseState, name: string): number {
  const number = state.names.get(name)
  if (number !== undefined) return number
  throw state.source.error(`unknown group name ${pythonRepr(name)}`, codePointCount(name) + 1)
}

function comment({ state, start }: Group): undefined {
  for (;;) {
    const token = state.source.take()
    if (token === ')') return undefined
    if (token === undefined) {
      throw state.source.errorAt('missing ), unterminated comment', start)
    }
  }
}

function lookbehind(group: Group): RegexNode {
  const { state } = group
  const char = extension(state.source)
  if (char !== '=' && char !== '!') {
    throw state.source.error(`unknown extension ?<${char}`, codePointCount(char) + 2)
  }
  const outer = state.lookbehindStart
  state.lookbehindStart ??= state.nextGroup
  const node = look(group, true, char === '!')
  state.lookbehindStart = outer
  return node
}

function look(
  { state, flags, depth, start }: Group,
  backward: boolean,
  negated: boolean,
): RegexNode {
  const node = state.inner.branches(state, flags, depth + 1)
  close(state.source, start)
  return { kind: 'look', backward, negated, body: node }
}

/** Parses `(?(1)yes|no)` and `(?(name)yes|no)`. */
function conditional({ state, flags, depth, start }: Group): RegexNode {
  const { source } = state
  const name = source.takeUntil(')', 'group name')
  const group = /^[0-9]+$/.test(name) ? numberedCondition(state, name) : namedCondition(state, name)
  checkLookbehind(state, group)
  const yes = state.inner.sequence(state, flags, depth + 1, false)
  let no: RegexNode = { kind: 'sequence', items: [] }
  if (source.match('|')) {
    no = state.inner.sequence(state, flags, depth + 1, false)
    if (source.next === '|') {
      throw source.error('conditional backref with more than two branches')
    }
  }
  close(source, start)
  return { kind: 'conditional', group, yes, no }
}

function namedCondition(state: ParseState, name: string): number {
  state.source.checkGroupName(name)
  return groupNumber(state, name)
}

function numberedCondition(state: ParseState, name: string): number {
  const group = Number(name)
  if (group === 0) throw state.source.error('bad group number', name.length + 1)
  if (group >= 1_073_741_823) {
    throw state.source.error(`invalid group reference ${group}`, name.length + 1)
  }
  if (!state.forwardReferences.has(group))
    state.forwardReferences.set(group, state.source.tell() - name.length - 1)
  return group
}

const flagNames = { i: 'ignoreCase', m: 'multiline', s: 'dotAll', x: 'verbose' } as const

/** Parses flags from their first letter on; undefined when they apply to the entire pattern. */
function parseFlags(state: ParseState, flags: Flags, first: string): Flags | undefined {
  const { source } = state
  const on = first === '-' ? { letters: '', end: '-' } : flagsOn(source, first)
  if (on.end === ')') {
    state.flags = withFlags(state.flags, on.letters, true)
    return undefined
  }
  const off = on.end === '-' ? flagsOff(source) : ''
  if (Array.from(off).some((letter) => on.letters.includes(letter))) {
    throw source.error('bad inline flags: flag turned on and off', 1)
  }
  return withFlags(withFlags(flags, on.letters, true), off, false)
}

function flagsOn(source: PatternSource, first: string): { letters: string; end: string } {
  let letters = ''
  for (let char = first; ;) {
    if (char === 'L') {
      throw source.error("bad inline flags: cannot use 'L' flag with a str pattern")
    }
    letters += char
    if (letters.includes('a') && letters.includes('u')) {
      throw source.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible")
    }
    char = nextFlag(source, 'missing -, : or )', /^[):-]$/)
    if (/^[):-]$/.test(char)) return { letters, end: char }
  }
}

function flagsOff(source: PatternSource): string {
  let letters = ''
  for (let char = nextFlag(source, 'missing flag', /^$/); char !== ':';) {
    if (/^[auL]$/.test(char)) {
      throw source.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
    }
    letters += char
    char = nextFlag(source, 'missing :', /^:$/)
  }
  return letters
}

/** Reads a flag letter or one of the terminators in `ends`. */
function nextFlag(source: PatternSource, missing: string, ends: RegExp): string {
  const char = source.take()
  if (char === undefined) throw source.error(missing)
  if (ends.test(char) || /^[iLmsxau]$/.test(char)) return char
  throw source.error(/^\p{L}$/u.test(char) ? 'unknown flag' : missing, codePointCount(char))
}

function withFlags(flags: Flags, letters: string, value: boolean): Flags {
  const changed = { ...flags }
  for (const letter of letters) {
    if (letter === 'a') changed.ascii = true
    else if (letter === 'u') changed.ascii = false
    else changed[flagNames[letter as keyof typeof flagNames]] = value
  }
  return changed
}
