// Searches with a regular expression in time linear in the text: all alternatives advance together, one
// character at a time (Thompson's construction, Pike's order of priorities), so nothing backtracks.
import type { TextRange } from '../spans.ts'
import type { Node, Refusal } from './parse.ts'
import { isRefusal, parseLinear } from './parse.ts'

export type { Refusal } from './parse.ts'

/** Yields the matches from left to right, without empty ones. */
export type LinearSearch = (text: string) => Iterable<TextRange>

type Step =
  | { op: 'char'; test: CharTest }
  /** `first` has priority. */
  | { op: 'split'; first: number; second: number }
  | { op: 'assert'; kind: '^' | '$' | 'b' | 'B' }
  | { op: 'match' }

/** Repetitions are copied; a longer program is refused. */
const maxSteps = 20_000

/** Compiles an expression that V8 accepts with these flags. */
export function compileLinear(source: string, flags: string): LinearSearch | Refusal {
  const node = parseLinear(source)
  if (isRefusal(node)) return node
  const program: Step[] = []
  if (!emit(node, program, flags)) return { index: 0, what: 'too many repetitions' }
  program.push({ op: 'match' })
  return (text) => search(program, text, flags)
}

/** Appends the steps of a node; false if the program becomes too long. */
function emit(node: Node, program: Step[], flags: string): boolean {
  if (program.length > maxSteps) return false
  switch (node.type) {
    case 'empty':
      return true
    case 'char':
      program.push({ op: 'char', test: charTest(node.source, flags) })
      return true
    case 'assert':
      program.push({ op: 'assert', kind: node.kind })
      return true
    case 'sequence':
      return node.items.every((item) => emit(item, program, flags))
    case 'choice':
      return emitChoice(node.items, program, flags)
    case 'repeat':
      return emitRepeat(node, program, flags)
  }
}

function emitChoice(items: readonly Node[], program: Step[], flags: string): boolean {
  const ends: number[] = []
  for (const [index, item] of items.entries()) {
    const split = index < items.length - 1 ? program.length : -1
    if (split !== -1) program.push({ op: 'split', first: split + 1, second: 0 })
    if (!emit(item, program, flags)) return false
    if (split === -1) break
    ends.push(program.length)
    program.push(jump(0))
    program[split] = { op: 'split', first: split + 1, second: program.length }
  }
  for (const end of ends) program[end] = jump(program.length)
  return true
}

function jump(to: number): Step {
  return { op: 'split', first: to, second: to }
}

type Repeat = Extract<Node, { type: 'repeat' }>

function emitRepeat({ item, min, max, isLazy }: Repeat, program: Step[], flags: string): boolean {
  for (let count = 0; count < min; count++) if (!emit(item, program, flags)) return false
  const splits: number[] = []
  const open = (): number => program.push({ op: 'match' }) - 1
  if (max === Infinity) {
    const split = open()
    if (!emit(item, program, flags)) return false
    program.push(jump(split))
    splits.push(split)
  } else {
    for (let count = min; count < max; count++) {
      splits.push(open())
      if (!emit(item, program, flags)) return false
    }
  }
  for (const split of splits) program[split] = choose(split + 1, program.length, isLazy)
  return true
}

function choose(body: number, end: number, isLazy: boolean): Step {
  return isLazy
    ? { op: 'split', first: end, second: body }
    : { op: 'split', first: body, second: end }
}

type CharTest = (code: number, character: string) => boolean

/** Rules repeat their characters: 128 rules of 4,096 characters would need 500,000 expressions. */
const charTests = new Map<string, CharTest>()
const maxCharTests = 4096

function charTest(source: string, flags: string): CharTest {
  const key = `${flags}/${source}`
  const existing = charTests.get(key)
  if (existing !== undefined) return existing
  if (charTests.size >= maxCharTests) charTests.clear()
  const test = newCharTest(source, flags)
  charTests.set(key, test)
  return test
}

/** V8 decides about one character; the answers for ASCII are stored. */
function newCharTest(source: string, flags: string): CharTest {
  const expression = new RegExp(`^(?:${source})$`, flags.replace(/[gm]/g, ''))
  const known = new Int8Array(128).fill(-1)
  return (code, character) => {
    if (code >= 128) return expression.test(character)
    let answer = known[code] ?? -1
    if (answer === -1) known[code] = answer = expression.test(character) ? 1 : 0
    return answer === 1
  }
}

/** Threads in order of priority: a position in the program and the start of the match. */
interface Threads {
  steps: number[]
  starts: number[]
}

function* search(program: readonly Step[], text: string, flags: string): Iterable<TextRange> {
  const isUnicode = flags.includes('u')
  const seen = new Int32Array(program.length).fill(-1)
  let from = 0
  while (from <= text.length) {
    const found = firstMatch(program, text, from, flags, isUnicode, seen)
    if (found === undefined) return
    if (found[1] > found[0]) yield found
    from = found[1] > found[0] ? found[1] : found[1] + 1
    seen.fill(-1)
  }
}

function firstMatch(
  program: readonly Step[],
  text: string,
  from: number,
  flags: string,
  isUnicode: boolean,
  seen: Int32Array,
): TextRange | undefined {
  let current: Threads = { steps: [], starts: [] }
  let found: TextRange | undefined
  for (let at = from; ;) {
    if (found === undefined) addThread(program, text, flags, current, 0, at, at, seen)
    if (current.steps.length === 0 && found !== undefined) return found
    const point = isUnicode
      ? (text.codePointAt(at) ?? -1)
      : at < text.length
        ? text.charCodeAt(at)
        : -1
    const width = point > 0xffff ? 2 : 1
    const character = point === -1 ? '' : text.slice(at, at + width)
    const next: Threads = { steps: [], starts: [] }
    for (const [index, step] of current.steps.entries()) {
      const start = current.starts[index] ?? 0
      const { op, test } = program[step] as { op: string; test?: CharTest }
      if (op === 'match') {
        // Threads of lower priority are dropped.
        found = [start, at]
        break
      }
      if (point !== -1 && test?.(point, character) === true) {
        addThread(program, text, flags, next, step + 1, start, at + width, seen)
      }
    }
    if (point === -1) return found
    current = next
    at += width
  }
}

/** Follows splits and assertions without recursion; `seen` holds the last position of each step. */
function addThread(
  program: readonly Step[],
  text: string,
  flags: string,
  threads: Threads,
  first: number,
  start: number,
  at: number,
  seen: Int32Array,
): void {
  const open = [first]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (seen[step] === at) continue
    seen[step] = at
    const action = program[step]
    if (action?.op === 'split') open.push(action.second, action.first)
    else if (action?.op === 'assert') {
      if (holds(action.kind, text, at, flags)) open.push(step + 1)
    } else {
      threads.steps.push(step)
      threads.starts.push(start)
    }
  }
}

function holds(kind: '^' | '$' | 'b' | 'B', text: string, at: number, flags: string): boolean {
  const isMultiline = flags.includes('m')
  if (kind === '^') return at === 0 || (isMultiline && isLineEnd(text[at - 1]))
  if (kind === '$') return at === text.length || (isMultiline && isLineEnd(text[at]))
  const isBoundary = isWord(text[at - 1]) !== isWord(text[at])
  return kind === 'b' ? isBoundary : !isBoundary
}

function isLineEnd(character: string | undefined): boolean {
  return character !== undefined && /[\n\r\u2028\u2029]/.test(character)
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character)
}
