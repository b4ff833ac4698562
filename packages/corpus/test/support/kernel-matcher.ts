// Finds matching lines with the kernel's automaton, for tests that compare engines.
import { createKernel, kernelModule } from '../../src/kernel/kernel.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { createSharedMemory, reserve } from '../../src/kernel/shared-memory.ts'
import type { Regex } from '../../src/regex/ast.ts'
import { compileLineMatcher } from '../../src/regex/dfa/line-matcher.ts'
import { countText } from '../../src/text/count.ts'
import { afterLineEnd } from '../../src/text/text.ts'

type Form = 'best' | 'scalar'

const tableBytes = 1 << 20
const textBytes = 4 << 20

const setups: { [form in Form]?: { kernel: Kernel; scratchStart: number; textStart: number } } = {}

function createSetup(form: Form): { kernel: Kernel; scratchStart: number; textStart: number } {
  const memory = createSharedMemory(16 << 20)
  if (memory === undefined) throw new Error('no shared memory')
  const kernel = createKernel(memory, kernelModule(form))
  const scratchStart = reserve(memory, tableBytes) as number
  return { kernel, scratchStart, textStart: reserve(memory, textBytes) as number }
}

/** Numbers of the matching lines; undefined if the pattern has no automaton. */
export function kernelMatcher(
  regex: Regex,
  form: Form,
  scratchBytes = tableBytes,
): ((bytes: Buffer) => number[]) | undefined {
  const { kernel, scratchStart, textStart } = (setups[form] ??= createSetup(form))
  const { memory } = kernel
  const matcher = compileLineMatcher(regex, { memory, kernel, scratchStart, scratchBytes })
  if (matcher === undefined) return undefined
  return (bytes) => {
    kernel.bytes().fill(0, textStart, textStart + bytes.length + 64)
    kernel.bytes().set(bytes, textStart)
    const found: number[] = []
    let from = textStart
    const end = textStart + bytes.length
    for (;;) {
      const outcome = matcher.nextLine(from, end)
      if (outcome === 'stuck') throw new Error('stuck')
      if (outcome === 'none') return found
      found.push(countText(bytes.subarray(0, matcher.lineStart - textStart)).lineEnds + 1)
      from = textStart + afterLineEnd(bytes, matcher.lineEnd - textStart)
    }
  }
}
