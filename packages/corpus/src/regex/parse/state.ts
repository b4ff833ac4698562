// What the parts of the pattern reader share: flags, the groups so far, and the rules about them.
import type { Fold, RegexNode } from '../ast.ts'
import type { PatternSource } from './source.ts'

export interface Flags {
  fold: boolean
  everyLine: boolean
  dotAll: boolean
  ascii: boolean
  verbose: boolean
}

/** What is known of the groups while reading. */
export interface ParseState {
  source: PatternSource
  /** Flags given for the whole pattern at its start. */
  flags: Flags
  /** Number of the group to be opened next. */
  groups: number
  names: Map<string, number>
  closed: Set<number>
  /** Groups from this number on belong to the look-behind being read. */
  behindFrom: number | undefined
  /** Where a group that did not exist yet was named by a condition. */
  forward: Map<number, number>
  /** How what stands inside a group is read. */
  inner: InnerParsers
}

export interface InnerParsers {
  branches(state: ParseState, flags: Flags, depth: number): RegexNode
  sequence(state: ParseState, flags: Flags, depth: number, first: boolean): RegexNode
}

/** How much case matters under these flags. */
export function foldOf(flags: Flags): Fold {
  if (!flags.fold) return 'none'
  return flags.ascii ? 'ascii' : 'unicode'
}

/** A group may be referred to once it is closed, and not from its own look-behind. */
export function checkReference(state: ParseState, group: number, back: number): void {
  const { source } = state
  if (!state.closed.has(group)) throw source.error('cannot refer to an open group', back)
  checkBehind(state, group)
}

export function checkBehind(state: ParseState, group: number): void {
  if (state.behindFrom === undefined) return
  if (!state.closed.has(group)) throw state.source.error('cannot refer to an open group')
  if (group < state.behindFrom) return
  throw state.source.error('cannot refer to group defined in the same lookbehind subpattern')
}
