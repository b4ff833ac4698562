// Whether one character is what a node of the own engine asks for.
import type { RegexNode } from './ast.ts'
import { caseVariants } from './fold.ts'
import { unicodeSet } from './sets.ts'

type Single = RegexNode & { kind: 'char' | 'set' | 'dot' }

export function charTest(node: Single, lines: boolean): (code: number) => boolean {
  if (node.kind === 'dot') return node.all && !lines ? () => true : (code) => code !== 10
  if (node.kind === 'char') {
    const wanted = caseVariants(node.code, node.fold)
    return (code) => wanted.includes(code)
  }
  const set = new RegExp(`^${unicodeSet(node, lines)}$`, 'u')
  const known = new Map<number, boolean>()
  return (code) => {
    const before = known.get(code)
    if (before !== undefined) return before
    const answer = set.test(String.fromCodePoint(code))
    if (known.size < 4096) known.set(code, answer)
    return answer
  }
}
