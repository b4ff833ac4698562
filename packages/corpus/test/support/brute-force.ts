// A reference matcher: for every position on a line, all positions where a match can end. It shares
// only the parser and the character predicates with the engines.
import { charPredicate } from '../../src/regex/char-test.ts'
import type { Regex, RegexNode } from '../../src/regex/ast.ts'
import type { CharNode } from '../../src/regex/code-points.ts'
import { decodeText } from '../../src/text/text.ts'

/** Numbers of the matching lines. */
export function bruteForceLines(regex: Regex, bytes: Buffer): number[] {
  const lines = decodeText(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const isMatch = lines.map((line) => {
    const codes = Array.from(line, (char) => char.codePointAt(0) as number)
    return codes.concat(0).some((_, at) => ends(regex.body, codes, at).size > 0)
  })
  return isMatch.flatMap((matches, index) => (matches ? [index + 1] : []))
}

function ends(node: RegexNode, line: number[], at: number): Set<number> {
  const here = (holds: boolean): Set<number> => new Set(holds ? [at] : [])
  switch (node.kind) {
    case 'char':
    case 'set':
    case 'dot': {
      const code = line[at]
      return new Set(code !== undefined && matchesChar(node, code) ? [at + 1] : [])
    }
    case 'start':
      return here(at === 0)
    case 'end':
      return here(at === line.length)
    case 'boundary':
      return here(line.length > 0 && isBoundary(line, at, node.ascii) !== node.negated)
    case 'sequence':
      return node.items.reduce((from, item) => endsFromEach(from, item, line), new Set([at]))
    case 'either':
      return new Set(node.branches.flatMap((branch) => [...ends(branch, line, at)]))
    case 'capture':
      return ends(node.body, line, at)
    case 'repeat':
      return repeatEnds(node, line, at)
    default:
      throw new Error(`${node.kind} is not regular`)
  }
}

const predicates = new WeakMap<CharNode, (code: number) => boolean>()

function matchesChar(node: CharNode, code: number): boolean {
  const predicate = predicates.get(node) ?? charPredicate(node, true)
  predicates.set(node, predicate)
  return predicate(code)
}

function endsFromEach(from: Set<number>, node: RegexNode, line: number[]): Set<number> {
  return new Set([...from].flatMap((at) => [...ends(node, line, at)]))
}

function repeatEnds(node: RegexNode & { kind: 'repeat' }, line: number[], at: number): Set<number> {
  let reached = new Set([at])
  for (let count = 0; count < node.min; count++) reached = endsFromEach(reached, node.body, line)
  const all = new Set(reached)
  for (let count = node.min; count < node.max && reached.size > 0; count++) {
    reached = new Set([...endsFromEach(reached, node.body, line)].filter((end) => !all.has(end)))
    for (const end of reached) all.add(end)
  }
  return all
}

function isBoundary(line: number[], at: number, ascii: boolean): boolean {
  const set = ascii ? asciiWords : words
  const word = (code: number | undefined): boolean => code !== undefined && matchesChar(set, code)
  return word(line[at - 1]) !== word(line[at])
}

const words = wordSet(false)
const asciiWords = wordSet(true)

function wordSet(ascii: boolean): CharNode {
  const item = { kind: 'class', name: 'w', negated: false, ascii } as const
  return { kind: 'set', items: [item], negated: false, fold: 'none' }
}
