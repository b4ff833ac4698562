// Matches paths against globs in time linear in the path. The globs become one automaton whose
// states are made as paths need them, so `*a*a*a*b` and long brace lists cost no more than others.
import { literalGlob, parseGlob } from './parse.ts'
import type { GlobNode } from './parse.ts'

export { parseSet } from './parse.ts'
export type { GlobNode } from './parse.ts'
export { setEnd } from './set-end.ts'

export interface PathMatcher {
  matches(path: string): boolean
  /** Whether any path that begins with this text could match. */
  couldBegin(prefix: string): boolean
}

/** A path matches when any of the globs matches all of it. */
export function compileGlobs(globs: readonly string[]): PathMatcher {
  return automaton(globs.flatMap((glob) => parseGlob(glob)))
}

/** As grep takes `paths`: an entry is a glob, an exact path, or a folder that stands for all in it. */
export function compilePaths(entries: readonly string[]): PathMatcher {
  return automaton(
    entries.flatMap((entry) => {
      const below = literalGlob(entry.endsWith('/') ? entry : `${entry}/`)
      return [
        ...parseGlob(entry),
        literalGlob(entry),
        [...below, { kind: 'star', within: false } as const],
      ]
    }),
  )
}

type Transition =
  | { kind: 'char'; code: number; next: number }
  | { kind: 'any'; within: boolean; next: number }
  | { kind: 'set'; ranges: [number, number][]; negated: boolean; next: number }
  /** Stays here on a character; `next` is reached without one, or by a slash only. */
  | { kind: 'star'; within: boolean; next: number }
  | { kind: 'folders'; next: number }
  | { kind: 'split'; branches: number[] }
  | { kind: 'match' }

interface State {
  members: number[]
  accepts: boolean
  ascii: Int32Array
  others: Map<number, number>
}

const dead = 0
const maxStates = 2000

/** One matcher for several alternatives already taken apart. */
export function automaton(alternatives: GlobNode[][]): PathMatcher {
  const table: Transition[] = [{ kind: 'match' }]
  const starts = alternatives.map((nodes) => addSequence(table, nodes, 0))
  let states: State[] = []
  let ids = new Map<string, number>()
  let start = dead

  const stateFor = (seeds: Iterable<number>): number => {
    const members = closure(table, seeds)
    const key = members.join()
    const known = ids.get(key)
    if (known !== undefined) return known
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
    const known = code < 128 ? (state.ascii[code] as number) : (state.others.get(code) ?? -1)
    if (known !== -1) return known
    const next = stateFor(advance(table, state.members, code))
    if (code < 128) state.ascii[code] = next
    else state.others.set(code, next)
    return next
  }
  const run = (text: string): number => {
    if (states.length > maxStates) reset()
    let state = start
    for (let at = 0; at < text.length && state !== dead; at++) {
      const code = text.codePointAt(at) as number
      if (code > 0xffff) at++
      state = follow(state, code)
    }
    return state
  }
  reset()
  return {
    matches: (path) => (states[run(path)] as State).accepts,
    couldBegin: (prefix) => run(prefix) !== dead,
  }
}

/** Adds the nodes so that they lead to `next`; the entry's number comes back. */
function addSequence(table: Transition[], nodes: GlobNode[], next: number): number {
  let entry = next
  for (let at = nodes.length - 1; at >= 0; at--)
    entry = addNode(table, nodes[at] as GlobNode, entry)
  return entry
}

function addNode(table: Transition[], node: GlobNode, next: number): number {
  const place = table.push({ ...node, next }) - 1
  if (node.kind !== 'folders') return place
  return table.push({ kind: 'split', branches: [next, place] }) - 1
}

/** All places reachable without a character, in rising order. */
function closure(table: Transition[], seeds: Iterable<number>): number[] {
  const seen = new Set<number>()
  const open = [...seeds]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place)) continue
    seen.add(place)
    const transition = table[place] as Transition
    if (transition.kind === 'split') open.push(...transition.branches)
    else if (transition.kind === 'star') open.push(transition.next)
  }
  return [...seen].sort((a, b) => a - b)
}

function* advance(table: Transition[], members: number[], code: number): Generator<number> {
  for (const place of members) {
    const on = table[place] as Transition
    if (on.kind === 'char') {
      if (on.code === code) yield on.next
    } else if (on.kind === 'any') {
      if (code !== 0x2f || !on.within) yield on.next
    } else if (on.kind === 'star') {
      if (code !== 0x2f || !on.within) yield place
    } else if (on.kind === 'folders') {
      yield place
      if (code === 0x2f) yield on.next
    } else if (on.kind === 'set') {
      if (on.ranges.some(([low, high]) => low <= code && code <= high) !== on.negated) yield on.next
    }
  }
}
