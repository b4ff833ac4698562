// Runs one request's pattern: inline when it is linear, otherwise in the worker with the time that
// remains. A timeout is an error, unless the client set a deadline: then the results are partial.
import type { Engine, RequestTime } from '../engine.ts'
import { prepareSearch } from './search.ts'
import type { RegexSearch } from './search.ts'
import type { CompiledRegex } from './regex.ts'
import type { RunLimit, SearchJob } from './worker/worker.ts'
import { wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { ZeeError } from '@zee/core/errors'

export class PatternRun {
  readonly #engine: Engine
  readonly #regex: CompiledRegex
  readonly #time: RequestTime
  readonly #inline: RegexSearch | undefined
  #spentMs = 0

  constructor(engine: Engine, regex: CompiledRegex, time: RequestTime) {
    this.#engine = engine
    this.#regex = regex
    this.#time = time
    this.#inline = regex.isLinear ? prepareSearch(regex.program) : undefined
  }

  /** The search for this thread; undefined when the pattern must run in the worker. */
  get inline(): RegexSearch | undefined {
    return this.#inline
  }

  /** Tests each text; undefined when the client's deadline expired. */
  *test(texts: string[]): Steps<boolean[] | undefined> {
    const inline = this.#inline
    if (inline !== undefined) return texts.map((text) => inline.test(text))
    const { program } = this.#regex
    return yield* this.#inWorker((limit) =>
      this.#engine.regexWorker.run({ kind: 'test', program, texts }, limit),
    )
  }

  /** Lines and columns per file; undefined when the client's deadline expired. */
  *search(job: Omit<SearchJob, 'kind' | 'program'>): Steps<number[][] | undefined> {
    const { program } = this.#regex
    return yield* this.#inWorker((limit) =>
      this.#engine.regexWorker.run({ kind: 'search', program, ...job }, limit),
    )
  }

  *#inWorker<Found>(
    run: (limit: RunLimit) => Promise<{ found: Found; ms: number }>,
  ): Steps<Found | undefined> {
    const { hasDeadline } = this.#time
    const allowedMs = this.#engine.regexMs
    const ms = hasDeadline ? this.#time.remainingMs() : allowedMs - this.#spentMs
    try {
      const { signal } = this.#engine
      const reply = yield* wait(run({ ms, allowedMs, countsQueueTime: hasDeadline, signal }))
      this.#spentMs += reply.ms
      return reply.found
    } catch (error) {
      const timedOut = error instanceof ZeeError && error.code === 'regex_timeout'
      if (timedOut && hasDeadline) return undefined
      throw error
    }
  }
}
