// Predicates that test one character against a single-character node, for the fallback engine.
import type { CharNode } from './code-points.ts'
import { caseVariants } from './fold.ts'
import { unicodeSet } from './sets.ts'

export function charPredicate(node: CharNode, lines: boolean): (code: number) => boolean {
  if (node.kind === 'dot') return node.all && !lines ? () => true : (code) => code !== 10
  if (node.kind === 'char') {
    const variants = caseVariants(node.code, node.fold)
    return (code) => variants.includes(code)
  }
  const set = new RegExp(`^${unicodeSet(node, lines)}$`, 'u')
  const cache = new Map<number, boolean>()
  return (code) => {
    const cached = cache.get(code)
    if (cached !== undefined) return cached
    const matches = set.test(String.fromCodePoint(code))
    if (cache.size < 4096) cache.set(code, matches)
    return matches
  }
}
