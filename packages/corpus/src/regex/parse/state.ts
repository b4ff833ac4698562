// State shared by the parts of the parser: flags, groups seen so far, and the rules for references.
import type { Fold, RegexNode } from '../ast.ts'
import type { PatternSource } from './source.ts'

export interface Flags {
  ignoreCase: boolean
  multiline: boolean
  dotAll: boolean
  ascii: boolean
  verbose: boolean
}

export interface ParseState {
  source: PatternSource
  /** Flags for the entire pattern, set at its start. */
  flags: Flags
  /** Number of the next group to open. */
  nextGroup: number
  names: Map<string, number>
  closed: Set<number>
  /** Groups from this number on belong to the lookbehind being parsed. */
  lookbehindStart: number | undefined
  /** Groups that a conditional named before they existed, and the position of that name. */
  forwardReferences: Map<number, number>
  /** Parsers for the contents of a group. */
  inner: InnerParsers
}

export interface InnerParsers {
  branches(state: ParseState, flags: Flags, depth: number): RegexNode
  sequence(state: ParseState, flags: Flags, depth: number, first: boolean): RegexNode
}

/** The case folding that these flags select. */
export function foldOf(flags: Flags): Fold {
  if (!flags.ignoreCase) return 'none'
  return flags.ascii ? 'ascii' : 'unicode'
}

/** Throws unless the group is closed and outside the current lookbehind. */
export function checkReference(state: ParseState, group: number, back: number): void {
  const { source } = state
  if (!state.closed.has(group)) throw source.error('cannot refer to an open group', back)
  checkLookbehind(state, group)
}

export function checkLookbehind(state: ParseState, group: number): void {
  if (state.lookbehindStart === undefined) return
  if (!state.closed.has(group)) throw state.source.error('cannot refer to an open group')
  if (group < state.lookbehindStart) return
  throw state.source.error('cannot refer to group defined in the same lookbehind subpattern')
}
