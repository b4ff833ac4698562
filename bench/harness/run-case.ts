// Runs one case. The variants run interleaved (A B C A B C ...), so that load on the machine
// affects all of them. The first round is a warm-up and does not count, unless the
// case needs none.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isFunctionVariant, type Case, type Measured, type Place, type Sample } from './case.ts'
import { timeCommand, weighCommand } from './measure-command.ts'
import { timeFunction } from './measure-function.ts'

export interface CaseRun {
  variants: readonly { name: string; measured: Measured }[]
}

export interface RunOptions {
  repetitions: number
  /** Everything but the scratch folder, which runCase creates. */
  place: Omit<Place, 'scratch'>
  /** The command line that runs a function variant in a fresh process. */
  functionCommand(variant: string, scratch: string): string[]
  onProgress(done: number, total: number, variant: string): void
}

const memorySamples = 3

let scratch: string | undefined

export async function runCase(benchCase: Case, options: RunOptions): Promise<CaseRun> {
  scratch = mkdtempSync(path.join(tmpdir(), 'zee-bench-'))
  try {
    await benchCase.prepare?.(scratch)
    return await runInterleaved(benchCase, options, { ...options.place, scratch })
  } finally {
    removeScratch()
  }
}

/** Also called on Ctrl+C, which skips the `finally` of runCase. */
export function removeScratch(): void {
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  scratch = undefined
}

async function runInterleaved(
  benchCase: Case,
  options: RunOptions,
  place: Place,
): Promise<CaseRun> {
  const results = benchCase.variants.map((variant) => ({
    variant,
    samples: [] as Sample[],
    failure: undefined as string | undefined,
  }))
  const rounds = options.repetitions + 1
  for (let round = benchCase.warmsUp === false ? 1 : 0; round < rounds; round++) {
    for (const [index, result] of results.entries()) {
      const { variant } = result
      options.onProgress(round * results.length + index, rounds * results.length, variant.name)
      if (result.failure !== undefined) continue
      const sample = isFunctionVariant(variant)
        ? await timeFunction(options.functionCommand(variant.name, place.scratch))
        : await timeCommand(variant, place)
      if ('failure' in sample) result.failure = sample.failure
      else if (round > 0) result.samples.push(sample)
      if (round === 0 || round > memorySamples || isFunctionVariant(variant)) continue
      if ('failure' in sample) continue
      sample.rssMib = await weighCommand(variant, place)
    }
  }
  const variants = results.map(({ variant, samples, failure }) => ({
    name: variant.name,
    measured: failure === undefined ? { samples } : { failure },
  }))
  return { variants }
}
