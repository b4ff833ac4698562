// Expands `{a,b}` in a glob. Braces may nest. Braces without a comma or a partner are literal;
// inside a `[set]` they are members of the set.
import { ZeeError } from '@zee/core/errors'
import { setEnd } from './set-end.ts'

/** Limits on the expansion of one glob; real globs expand to a handful. */
const maxExpansions = 1024
const maxExpandedCodes = 1 << 20
const maxDepth = 64

type Codes = readonly number[]

interface Group {
  end: number
  /** Offsets of the opening brace, the commas and the closing brace. */
  edges: number[]
}

/** All brace-free globs that this one expands to. */
export function expandBraces(codes: Codes): Codes[] {
  const groups = findGroups(codes)
  if (groups.size === 0) return [codes]
  return expandRange({ codes, groups }, 0, codes.length)
}

/** Brace groups that contain a comma, by the offset of the opening brace. */
function findGroups(codes: Codes): Map<number, Group> {
  const groups = new Map<number, Group>()
  const openGroups: number[][] = []
  const lastClose = codes.lastIndexOf(0x5d)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]
    if (code === 0x5b) at = setEnd(codes, at, lastClose) ?? at
    else if (code === 0x7b) openGroups.push([at])
    else if (code === 0x2c) openGroups.at(-1)?.push(at)
    else if (code === 0x7d) {
      const edges = openGroups.pop()
      if (edges === undefined || edges.length === 1) continue
      groups.set(edges[0] as number, { end: at, edges: [...edges, at] })
      if (openGroups.length > maxDepth) throw new ZeeError('glob', 'glob nests braces too deeply')
    }
  }
  return groups
}

interface Source {
  codes: Codes
  groups: Map<number, Group>
}

function expandRange(source: Source, from: number, to: number): Codes[] {
  let expanded: Codes[] = [[]]
  let literalStart = from
  for (let at = from; at < to;) {
    const group = source.groups.get(at)
    if (group === undefined) {
      at++
      continue
    }
    const branches = group.edges
      .slice(1)
      .flatMap((edge, n) => expandRange(source, (group.edges[n] as number) + 1, edge))
    expanded = product(product(expanded, [source.codes.slice(literalStart, at)]), branches)
    at = literalStart = group.end + 1
  }
  return product(expanded, [source.codes.slice(literalStart, to)])
}

function product(heads: Codes[], tails: Codes[]): Codes[] {
  const combined = heads.flatMap((head) => tails.map((tail) => [...head, ...tail]))
  const codes = combined.reduce((sum, one) => sum + one.length, 0)
  if (combined.length > maxExpansions || codes > maxExpandedCodes) {
    throw new ZeeError('glob', `glob braces expand to more than ${maxExpansions} patterns`)
  }
  return combined
}
