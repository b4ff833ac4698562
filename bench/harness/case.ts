// Types of a benchmark. Each bench/<name>.ts exports its questions as `cases`.

export interface Case {
  /** Unique within its file: `bench/journal.ts` with case `append` is `journal/append`. */
  name: string
  question: string
  /** The first is the floor or the peer; the table shows ratios to it. */
  variants: readonly Variant[]
  goals: readonly Goal[]
  /** Default number of samples per variant; `--repetitions` overrides it. */
  repetitions: number
  /** False for results that do not depend on the state of the machine; true by default. */
  warmsUp?: boolean
  /** Creates the files that the variants need. The harness removes the folder afterwards. */
  prepare?(scratch: string): void | Promise<void>
}

/** A command, timed from outside as a process tree, or a function in a fresh process. */
export type Variant = CommandVariant | FunctionVariant

export interface CommandVariant {
  name: string
  command(place: Place): readonly string[]
  /** Runs per sample, 1 by default. More runs make the CPU time of a short command precise. */
  runsPerSample?: number
}

export interface FunctionVariant {
  name: string
  /** Plural noun or symbol of what `run` counts: `MB`, `records`, `requests`. */
  unit: string
  /**
   * Returns the number of units it handled. The harness times this call only, without the start of
   * Node. Values of a returned sample replace the harness's own (a median, other processes).
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

/**
 * The wanted value of a figure, with one limit. A missed goal is printed and does not fail the run.
 */
export interface Goal {
  variant: string
  figure: Figure
  atMost?: number
  atLeast?: number
  /** The variant takes at most 1/n of its peer's time. */
  timesFaster?: number
  /** The variant that the limit is a multiple of; absent for an absolute limit. */
  peer?: string
}

/** Minimum CPU ms, minimum wall ms, peak RSS in MiB, units per second, units. */
export type Figure = 'cpu' | 'wall' | 'rss' | 'rate' | 'amount'

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
  /** Of the amount, if it is an estimate from a simulation. */
  standardError?: number
}

export type Measured = { samples: Sample[] } | { failure: string }

export function isFunctionVariant(variant: Variant): variant is FunctionVariant {
  return 'run' in variant
}
