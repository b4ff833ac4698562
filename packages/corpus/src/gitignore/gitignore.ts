// Applies .gitignore files. The rules of a file apply below its folder. Later rules override
// earlier ones, and deeper files override shallower ones.
import { compileAlternatives, parseSet, setEnd } from '../glob/glob.ts'
import type { GlobNode, PathMatcher } from '../glob/glob.ts'

export interface IgnoreRules {
  /** Path of the folder of the file, with a trailing slash; empty for the root. */
  base: string
  rules: Rule[]
  outer: IgnoreRules | undefined
}

interface Rule {
  matcher: PathMatcher
  /** Matches the name alone, not the path below the base. */
  nameOnly: boolean
  folderOnly: boolean
  negated: boolean
}

/** Parses one .gitignore file; `outer` has the rules of the parent folders. */
export function readIgnoreRules(
  text: string,
  base: string,
  outer: IgnoreRules | undefined,
): IgnoreRules {
  const rules = text.split(/\r\n|\n|\r/).flatMap((line) => parseRule(line) ?? [])
  return { base, rules, outer }
}

/** Whether a file or folder is ignored. The caller has already checked its parent folders. */
export function isIgnored(
  rules: IgnoreRules | undefined,
  path: string,
  name: string,
  isFolder: boolean,
): boolean {
  for (let level = rules; level !== undefined; level = level.outer) {
    const below = path.slice(level.base.length)
    const rule = level.rules.findLast(
      (one) => (isFolder || !one.folderOnly) && one.matcher.matches(one.nameOnly ? name : below),
    )
    if (rule !== undefined) return !rule.negated
  }
  return false
}

function parseRule(line: string): Rule | undefined {
  // Trailing spaces do not count unless the last one is escaped.
  let text = line.replace(/(?<!\\) +$/, '')
  if (text === '' || text.startsWith('#')) return undefined
  const negated = text.startsWith('!')
  if (negated) text = text.slice(1)
  const folderOnly = text.endsWith('/')
  if (folderOnly) text = text.slice(0, -1)
  if (text === '') return undefined
  const nameOnly = !text.includes('/')
  const nodes = parsePattern(text.startsWith('/') ? text.slice(1) : text)
  return { matcher: compileAlternatives([nodes]), nameOnly, folderOnly, negated }
}

function parsePattern(text: string): GlobNode[] {
  const codes = Array.from(text, (char) => char.codePointAt(0) as number)
  const lastClose = codes.lastIndexOf(0x5d)
  const nodes: GlobNode[] = []
  for (let at = 0; at < codes.length;) {
    const code = codes[at] as number
    const stars = code === 0x2a ? starsAt(codes, at) : undefined
    const end = code === 0x5b ? setEnd(codes, at, lastClose) : undefined
    if (stars !== undefined) {
      nodes.push(...stars.nodes)
      at = stars.end
    } else if (end !== undefined) {
      nodes.push(parseSet(caretAsBang(codes, at), at, end))
      at = end + 1
    } else if (code === 0x5c && at + 1 < codes.length) {
      nodes.push({ kind: 'char', code: codes[at + 1] as number })
      at += 2
    } else {
      nodes.push(code === 0x3f ? { kind: 'any', stopsAtSlash: true } : { kind: 'char', code })
      at++
    }
  }
  return nodes
}

/** Parses a run of stars. `**` crosses folders only as a complete path component. */
function starsAt(codes: number[], at: number): { nodes: GlobNode[]; end: number } {
  let end = at
  while (codes[end] === 0x2a) end++
  const followsSlash = at === 0 || codes[at - 1] === 0x2f
  if (end - at >= 2 && followsSlash) {
    if (codes[end] === 0x2f) return { nodes: [{ kind: 'folders' }], end: end + 1 }
    if (end === codes.length) return { nodes: [{ kind: 'star', stopsAtSlash: false }], end }
  }
  return { nodes: [{ kind: 'star', stopsAtSlash: true }], end }
}

/** In .gitignore files `[^a]` means `[!a]`. */
function caretAsBang(codes: number[], at: number): number[] {
  if (codes[at + 1] !== 0x5e) return codes
  const copy = [...codes]
  copy[at + 1] = 0x21
  return copy
}
