// Parses the glob language: fnmatch over the entire path, plus `**/`, which may match nothing. `*`
// and `?` cross slashes; a backslash is an ordinary character; an unclosed `[` is literal.
import { ZeeError } from '@zee/core/errors'
import { expandBraces } from './braces.ts'
import { setEnd } from './set-end.ts'

export type GlobNode =
  | { kind: 'char'; code: number }
  /** `stopsAtSlash`: never matches a slash. Globs cross slashes; .gitignore patterns do not. */
  | { kind: 'any'; stopsAtSlash: boolean }
  | { kind: 'star'; stopsAtSlash: boolean }
  /** A leading or inner `**` before a slash: nothing, or anything that ends with a slash. */
  | { kind: 'folders' }
  | { kind: 'set'; ranges: [low: number, high: number][]; negated: boolean }

/** Longer than any path, and low enough to bound the cost of compiling a glob. */
const maxGlobChars = 65_536

const slash = 0x2f
const star = 0x2a

/** Parses a glob into one alternative per brace expansion. */
export function parseGlob(glob: string): GlobNode[][] {
  if (glob.length > maxGlobChars) {
    throw new ZeeError('glob', `glob is too long: ${glob.length} characters, at most 65536`)
  }
  const codes = Array.from(glob, (char) => char.codePointAt(0) as number)
  return expandBraces(codes).map(parsePlain)
}

/** A glob that matches only this text. */
export function literalGlob(text: string): GlobNode[] {
  return Array.from(text, (char) => ({ kind: 'char', code: char.codePointAt(0) as number }))
}

function parsePlain(codes: readonly number[]): GlobNode[] {
  const nodes: GlobNode[] = []
  const lastClose = codes.lastIndexOf(0x5d)
  for (let at = 0; at < codes.length;) {
    const code = codes[at] as number
    if (code === star && startsFolders(codes, at)) {
      nodes.push({ kind: 'folders' })
      at += 3
      continue
    }
    const end = code === 0x5b ? setEnd(codes, at, lastClose) : undefined
    if (end !== undefined) nodes.push(parseSet(codes, at, end))
    else if (code === star) nodes.push({ kind: 'star', stopsAtSlash: false })
    else nodes.push(code === 0x3f ? { kind: 'any', stopsAtSlash: false } : { kind: 'char', code })
    at = end === undefined ? at + 1 : end + 1
  }
  return nodes
}

function startsFolders(codes: readonly number[], at: number): boolean {
  if (at > 0 && codes[at - 1] !== slash) return false
  return codes[at + 1] === star && codes[at + 2] === slash
}

/** Parses `[abc]`, `[a-c]` or `[!abc]`. A reversed range is empty. */
export function parseSet(codes: readonly number[], at: number, end: number): GlobNode {
  const negated = codes[at + 1] === 0x21
  const inner = codes.slice(at + (negated ? 2 : 1), end)
  const ranges: [number, number][] = []
  for (let i = 0; i < inner.length;) {
    const low = inner[i] as number
    const isRange = inner[i + 1] === 0x2d && i + 2 < inner.length
    const high = isRange ? (inner[i + 2] as number) : low
    if (low <= high) ranges.push([low, high])
    i += isRange ? 3 : 1
  }
  return { kind: 'set', ranges, negated }
}
