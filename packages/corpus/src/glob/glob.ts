// Matches paths against globs in time linear in the path. All globs compile to one automaton whose
// states are built lazily, so `*a*a*a*b` and long brace lists cost no more than others.
import { expandBraces } from './braces.ts'
import { literalGlob, parseGlob } from './parse.ts'
import type { GlobNode } from './parse.ts'

export { parseSet } from './parse.ts'
export type { GlobNode } from './parse.ts'
export { setEnd } from './set-end.ts'

export interface PathMatcher {
  matches(path: string): boolean
  /** Whether any path with this prefix could match. */
  canMatchPrefix(prefix: string): boolean
}

/** A matcher for paths that match any of the globs in full. */
export function compileGlobs(globs: readonly string[]): PathMatcher {
  return compileAlternatives(globs.flatMap((glob) => parseGlob(glob)))
}

/** The brace-free globs that a glob stands for. */
export function expandedGlobs(glob: string): string[] {
  const codes = Array.from(glob, (char) => char.codePointAt(0) as number)
  return expandBraces(codes).map((expanded) => String.fromCodePoint(...expanded))
}

/**
 * A matcher for grep's `paths`: an entry is a glob, an exact path, or a folder with everything in
 * it.
 */
export function compilePaths(entries: readonly string[]): PathMatcher {
  return compileAlternatives(
    entries.flatMap((entry) => {
      const below = literalGlob(entry.endsWith('/') ? entry : `${entry}/`)
      return [
        ...parseGlob(entry),
        literalGlob(entry),
        [...below, { kind: 'star', stopsAtSlash: false } as const],
      ]
    }),
  )
}

type Transition =
  | { kind: 'char'; code: number; next: number }
  | { kind: 'any'; stopsAtSlash: boolean; next: number }
  | { kind: 'set'; ranges: [number, number][]; negated: boolean; next: number }
  /** Consumes any character and stays; `next` is also reached without a character. */
  | { kind: 'star'; stopsAtSlash: boolean; next: number }
  | { kind: 'folders'; next: number }
  | { kind: 'split'; branches: number[] }
  | { kind: 'match' }

interface State {
  members: number[]
  accepts: boolean
  ascii: Int32Array
  others: Map<number, number>
}

const deadState = 0
const maxStates = 2000

/** One matcher for several parsed alternatives. */
export function compileAlternatives(alternatives: GlobNode[][]): PathMatcher {
  const table: Transition[] = [{ kind: 'match' }]
  const starts = alternatives.map((nodes) => addSequence(table, nodes, 0))
  let states: State[] = []
  let ids = new Map<string, number>()
  let start = deadState

  const stateFor = (seeds: Iterable<number>): number => {
    const members = closure(table, seeds)
    const key = members.join()
    const existing = ids.get(key)
    if (existing !== undefined) return existing
    const ascii = new Int32Array(128).fill(-1)
    states.push({ members, accepts: members.includes(0), ascii, others: new Map() })
    ids.set(key, states.length - 1)
    return states.length - 1
  }
  const reset = (): void => {
    states = []
    ids = new Map()
    stateFor([])
    start = stateFor(starts)
  }
  const follow = (from: number, code: number): number => {
    const state = states[from] as State
    const existing = code < 128 ? (state.ascii[code] as number) : (state.others.get(code) ?? -1)
    if (existing !== -1) return existing
    const next = stateFor(advance(table, state.members, code))
    if (code < 128) state.ascii[code] = next
    else state.others.set(code, next)
    return next
  }
  const run = (text: string): number => {
    if (states.length > maxStates) reset()
    let state = start
    for (let at = 0; at < text.length && state !== deadState; at++) {
      const code = text.codePointAt(at) as number
      if (code > 0xffff) at++
      state = follow(state, code)
    }
    return state
  }
  reset()
  return {
    matches: (path) => (states[run(path)] as State).accepts,
    canMatchPrefix: (prefix) => run(prefix) !== deadState,
  }
}

/** Adds the nodes so that they lead to `next`; returns the index of the first. */
function addSequence(table: Transition[], nodes: GlobNode[], next: number): number {
  let entry = next
  for (let at = nodes.length - 1; at >= 0; at--)
    entry = addNode(table, nodes[at] as GlobNode, entry)
  return entry
}

function addNode(table: Transition[], node: GlobNode, next: number): number {
  const index = table.push({ ...node, next }) - 1
  if (node.kind !== 'folders') return index
  return table.push({ kind: 'split', branches: [next, index] }) - 1
}

/** All table entries reachable without a character, in ascending order. */
function closure(table: Transition[], seeds: Iterable<number>): number[] {
  const seen = new Set<number>()
  const pending = [...seeds]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen.has(index)) continue
    seen.add(index)
    const transition = table[index] as Transition
    if (transition.kind === 'split') pending.push(...transition.branches)
    else if (transition.kind === 'star') pending.push(transition.next)
  }
  return [...seen].sort((a, b) => a - b)
}

function* advance(table: Transition[], members: number[], code: number): Generator<number> {
  for (const index of members) {
    const transition = table[index] as Transition
    if (transition.kind === 'char') {
      if (transition.code === code) yield transition.next
    } else if (transition.kind === 'any') {
      if (code !== 0x2f || !transition.stopsAtSlash) yield transition.next
    } else if (transition.kind === 'star') {
      if (code !== 0x2f || !transition.stopsAtSlash) yield index
    } else if (transition.kind === 'folders') {
      yield index
      if (code === 0x2f) yield transition.next
    } else if (transition.kind === 'set') {
      if (
        transition.ranges.some(([low, high]) => low <= code && code <= high) !== transition.negated
      )
        yield transition.next
    }
  }
}
