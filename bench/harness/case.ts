// What a question about speed consists of. A file bench/<name>.ts exports `cases` of this kind.

export interface Case {
  /** Within its file: `bench/journal.ts` with case `append` is `journal/append`. */
  name: string
  question: string
  /** The first is the floor or the peer that every other is compared with. */
  variants: readonly Variant[]
  bars: readonly Bar[]
  /** How often each variant is measured unless `--repetitions` says otherwise. */
  repetitions: number
  /** Makes the files that the variants need; the folder is removed afterwards. */
  prepare?(scratch: string): void | Promise<void>
}

/** A command, timed from outside as a whole process tree, or a function in a fresh process. */
export type Variant = CommandVariant | FunctionVariant

export interface CommandVariant {
  name: string
  command(place: Place): readonly string[]
  /** Runs in one sample; more of them make the CPU time of a short command precise. */
  runsPerSample?: number
}

export interface FunctionVariant {
  name: string
  unit: 'MB' | 'records'
  /**
   * Returns how many units it handled. Only this call is timed, not the start of Node. What it has
   * measured itself (a median, other processes) it returns instead, and that counts.
   */
  run(scratch: string): number | Partial<Sample> | Promise<number | Partial<Sample>>
}

export interface Place {
  scratch: string
  node: string
  repository: string
  /** A command line for one of the `programs` that a bench file exports. */
  program(name: string, ...args: string[]): string[]
  /** A shell pipeline whose arguments are `$1`, `$2`, ...; it fails when any part fails. */
  pipeline(script: string, ...args: string[]): string[]
}

/** A figure that is wanted. Printed as held or missed; a missed bar is no failure. */
export interface Bar {
  variant: string
  figure: Figure
  atMost?: number
  atLeast?: number
  /** The name of the variant that the limit is a multiple of; absent for an absolute limit. */
  times?: string
}

/** CPU ms, wall ms (both the minimum), peak RSS in MiB, units per second. */
export type Figure = 'cpu' | 'wall' | 'rss' | 'rate'

export interface BenchFile {
  cases: readonly Case[]
  /** Small programs for pipelines, started by `place.program('<file>/<name>')`. */
  programs?: Readonly<Record<string, (args: readonly string[]) => void | Promise<void>>>
}

export interface Sample {
  wallMs: number
  cpuMs: number
  rssMib?: number
  amount?: number
}

export type Measured = { samples: Sample[] } | { failure: string }

export function isFunctionVariant(variant: Variant): variant is FunctionVariant {
  return 'run' in variant
}
