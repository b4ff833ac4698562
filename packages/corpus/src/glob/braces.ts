// Expands `{a,b}` in a glob. Braces nest; without a comma, or without a partner, they stand for
// themselves; inside a `[set]` they are members of it.
import { ZeeError } from '@zee/core/errors'
import { setEnd } from './set-end.ts'

/** What one glob may expand to; real ones have a handful. */
const maxExpansions = 1024
const maxExpandedCodes = 1 << 20
const maxDepth = 64

type Codes = readonly number[]

interface Group {
  end: number
  /** Offsets of the opening brace, the commas and the closing brace. */
  edges: number[]
}

/** All globs without braces that this one stands for. */
export function expandBraces(codes: Codes): Codes[] {
  const groups = findGroups(codes)
  if (groups.size === 0) return [codes]
  return expandRange({ codes, groups }, 0, codes.length)
}

/** Partners of all braces that hold a comma, by the offset of the opening one. */
function findGroups(codes: Codes): Map<number, Group> {
  const groups = new Map<number, Group>()
  const open: number[][] = []
  const lastClose = codes.lastIndexOf(0x5d)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]
    if (code === 0x5b) at = setEnd(codes, at, lastClose) ?? at
    else if (code === 0x7b) open.push([at])
    else if (code === 0x2c) open.at(-1)?.push(at)
    else if (code === 0x7d) {
      const edges = open.pop()
      if (edges === undefined || edges.length === 1) continue
      groups.set(edges[0] as number, { end: at, edges: [...edges, at] })
      if (open.length > maxDepth) throw new ZeeError('glob', 'glob nests braces too deeply')
    }
  }
  return groups
}

interface Source {
  codes: Codes
  groups: Map<number, Group>
}

function expandRange(source: Source, from: number, to: number): Codes[] {
  let made: Codes[] = [[]]
  let plain = from
  for (let at = from; at < to;) {
    const group = source.groups.get(at)
    if (group === undefined) {
      at++
      continue
    }
    const branches = group.edges
      .slice(1)
      .flatMap((edge, n) => expandRange(source, (group.edges[n] as number) + 1, edge))
    made = product(product(made, [source.codes.slice(plain, at)]), branches)
    at = plain = group.end + 1
  }
  return product(made, [source.codes.slice(plain, to)])
}

function product(heads: Codes[], tails: Codes[]): Codes[] {
  const all = heads.flatMap((head) => tails.map((tail) => [...head, ...tail]))
  const codes = all.reduce((sum, one) => sum + one.length, 0)
  if (all.length > maxExpansions || codes > maxExpandedCodes) {
    throw new ZeeError('glob', `glob braces expand to more than ${maxExpansions} patterns`)
  }
  return all
}
