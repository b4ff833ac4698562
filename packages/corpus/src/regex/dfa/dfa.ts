// Searches a file in ordinary memory for lines that match a regular pattern, in time linear in the
// file.
import type { Regex } from '../ast.ts'
import { afterLineEnd, decodeBytes, hasReturns, lineEndAt, lineStartAt } from '../../text/text.ts'
import { compileAutomaton } from './automaton.ts'
import { columnFinder } from './first-column.ts'
import { LineSearch } from './line-search.ts'
import type { SearchOutcome, StepText } from './line-search.ts'
import { Rows } from './rows.ts'
import { TableSteps } from './step-buffer.ts'

export { columnFinder } from './first-column.ts'
export { compileLineMatcher } from './line-matcher.ts'
export type { LineMatcher } from './line-matcher.ts'
export { isRegular } from './nfa.ts'
export { byteFrequency } from './skip-tables.ts'

/** Alternating lines and columns, at most `limit` pairs; undefined when another engine must run. */
export type BufferLines = (bytes: Buffer, limit: number) => number[] | undefined

const tableBytes = 1 << 20

/**
 * Compiles a line search. Only lines that contain `required`, a text in every match, are searched.
 */
export function bufferLines(regex: Regex, required: string): BufferLines | undefined {
  const automaton = compileAutomaton(regex)
  const columnOf = columnFinder(regex)
  if (automaton === undefined || columnOf === undefined) return undefined
  const memory = { buffer: new ArrayBuffer(tableBytes) }
  const search = new LineSearch(automaton, new Rows(memory, 0, tableBytes, automaton))
  const steps = new TableSteps(memory)
  const needle = Buffer.from(required)
  return (bytes, limit) => {
    const file = new FileLines(bytes, steps)
    const found: number[] = []
    for (let from = 0; found.length < limit * 2;) {
      const outcome = file.next(search, from, needle)
      if (outcome === 'stuck') return undefined
      if (outcome === 'none') break
      const { start, end } = search
      found.push(file.lineNumber(start), columnOf(decodeBytes(bytes.subarray(start, end))))
      from = afterLineEnd(bytes, end)
    }
    return found
  }
}

class FileLines {
  readonly #bytes: Buffer
  readonly #hasReturns: boolean
  readonly #text: StepText
  #line = 1
  #countedTo = 0

  constructor(bytes: Buffer, steps: TableSteps) {
    this.#bytes = bytes
    this.#hasReturns = hasReturns(bytes)
    this.#text = {
      run: (row, from, to) => steps.run(bytes, row, from, to),
      byteAt: (offset) => bytes[offset] as number,
      lineStart: (_, at) => lineStartAt(bytes, at, this.#hasReturns),
      lineEnd: (at) => lineEndAt(bytes, at, this.#hasReturns),
    }
  }

  next(search: LineSearch, from: number, needle: Buffer): SearchOutcome {
    if (needle.length === 0) return search.nextLine(this.#text, from, this.#bytes.length)
    let at = this.#bytes.indexOf(needle, from)
    while (at !== -1) {
      const end = lineEndAt(this.#bytes, at, this.#hasReturns)
      const start = lineStartAt(this.#bytes, at, this.#hasReturns)
      const outcome = search.nextLine(this.#text, start, end)
      if (outcome !== 'none') return outcome
      at = this.#bytes.indexOf(needle, end)
    }
    return 'none'
  }

  lineNumber(start: number): number {
    while (this.#countedTo < start) {
      const end = lineEndAt(this.#bytes, this.#countedTo, this.#hasReturns)
      this.#countedTo = afterLineEnd(this.#bytes, end)
      this.#line++
    }
    return this.#line
  }
}
