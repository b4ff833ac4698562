// Matching lines of texts in the kernel's memory, for every pattern that is regular.
import type { KernelFunctions } from '../../kernel/kernel.ts'
import type { WasmMemory } from '../../wasm/wasm.ts'
import type { Regex } from '../ast.ts'
import { compileAutomaton } from './automaton.ts'
import { LineSearch } from './line-search.ts'
import type { SearchOutcome, StepText } from './line-search.ts'
import { Rows, smallestTable } from './rows.ts'

export interface MatcherPlace {
  memory: WasmMemory
  kernel: KernelFunctions
  /** Memory for the automaton's table, this thread's alone, best 4 MB; a multiple of 16. */
  scratchStart: number
  scratchBytes: number
}

export interface LineMatcher {
  /**
   * Finds the first matching line of the text from `from`, where a line begins, to `end`, where the text
   * ends or a line begins. `stuck`: this pattern needs another engine, from the beginning of this text.
   */
  nextLine(from: number, end: number): SearchOutcome
  /** Addresses of the first byte and the end of the line found last, its line end excluded. */
  readonly lineStart: number
  readonly lineEnd: number
}

/** Undefined for what is not regular (look-around, references, atomic groups) or too large. */
export function compileLineMatcher(regex: Regex, place: MatcherPlace): LineMatcher | undefined {
  const { memory, kernel, scratchStart, scratchBytes } = place
  if (scratchBytes < smallestTable) return undefined
  const automaton = compileAutomaton(regex)
  if (automaton === undefined) return undefined
  const search = new LineSearch(automaton, new Rows(memory, scratchStart, scratchBytes, automaton))
  const text = kernelText(memory, kernel, scratchStart)
  return {
    nextLine: (from, end) => search.nextLine(text, from, end),
    get lineStart() {
      return search.start
    },
    get lineEnd() {
      return search.end
    },
  }
}

function kernelText(memory: WasmMemory, kernel: KernelFunctions, table: number): StepText {
  let bytes = new Uint8Array(memory.buffer)
  return {
    run: (row, from, to) => kernel.stepRows(table, row, from, to) >>> 0,
    runTwo: (row, at, otherRow, otherAt, most) =>
      kernel.stepTwoRows(table, row, at, otherRow, otherAt, most) >>> 0,
    byteAt: (place) => {
      if (place >= bytes.length) bytes = new Uint8Array(memory.buffer)
      return bytes[place] as number
    },
    lineStart: (start, at) => kernel.lineStart(start, at) >>> 0,
    lineEnd: (at, end) => kernel.lineEnd(at, end) >>> 0,
  }
}
