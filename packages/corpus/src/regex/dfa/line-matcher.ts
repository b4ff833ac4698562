// Searches text in the kernel's memory for lines that match a regular pattern.
import type { KernelFunctions } from '../../kernel/kernel.ts'
import type { WasmMemory } from '../../wasm/wasm.ts'
import type { Regex } from '../ast.ts'
import { compileAutomaton } from './automaton.ts'
import { LineSearch } from './line-search.ts'
import type { SearchOutcome, StepText } from './line-search.ts'
import { Rows, minTableBytes } from './rows.ts'

export interface MatcherMemory {
  memory: WasmMemory
  kernel: KernelFunctions
  /** Memory for this thread's transition table: a multiple of 16 bytes, ideally 4 MB. */
  scratchStart: number
  scratchBytes: number
}

export interface LineMatcher {
  /**
   * Finds the first matching line between `from`, a line start, and `end`, a line start or the end
   * of the text. `stuck`: another engine must search this text from its start.
   */
  nextLine(from: number, end: number): SearchOutcome
  /** Addresses of the start and end of the line found last, line end excluded. */
  readonly lineStart: number
  readonly lineEnd: number
}

/**
 * Compiles a matcher; undefined if the pattern is not regular (look-around, references, atomic
 * groups) or too large.
 */
export function compileLineMatcher(regex: Regex, space: MatcherMemory): LineMatcher | undefined {
  const { memory, kernel, scratchStart, scratchBytes } = space
  if (scratchBytes < minTableBytes) return undefined
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
    runInterleaved: (row, at, otherRow, otherAt, maxBytes) =>
      kernel.stepTwoRows(table, row, at, otherRow, otherAt, maxBytes) >>> 0,
    byteAt: (address) => {
      if (address >= bytes.length) bytes = new Uint8Array(memory.buffer)
      return bytes[address] as number
    },
    lineStart: (start, at) => kernel.lineStart(start, at) >>> 0,
    lineEnd: (at, end) => kernel.lineEnd(at, end) >>> 0,
  }
}
