// The worker threads of a corpus outside its index: the one for long patterns, and the readers ahead. They start when a
// request needs them. Several corpora of one process can share them.
import type { RegexWorker } from './regex/regex.ts'
import { Prefilter } from './search/search.ts'
import type { PrefilterOptions } from './search/search.ts'
import { bundledWorker } from './workers/workers.ts'
import type { WorkerName } from './workers/workers.ts'

export interface ThreadOptions {
  /** Worker threads that read ahead in a long search of the disk; none by default. */
  prefilter?: PrefilterOptions
  /** Returns the path of a worker program; beside the running module by default. */
  workerFile?: (name: WorkerName) => string
}

export interface CorpusThreads {
  regexWorker: RegexWorker
  prefilter: Prefilter | undefined
  close(): Promise<void>
}

export function createThreads(options: ThreadOptions = {}): CorpusThreads {
  const workerFile = options.workerFile ?? bundledWorker
  const regexWorker = lazyRegexWorker(workerFile('regex-worker'))
  const prefilter =
    options.prefilter && new Prefilter(options.prefilter, workerFile('prefilter-worker'))
  return {
    regexWorker,
    prefilter,
    async close() {
      await Promise.all([regexWorker.close(), prefilter?.close()])
    },
  }
}

/** Loads the regex engine with the first pattern. */
function lazyRegexWorker(workerPath: string): RegexWorker {
  let loading: Promise<RegexWorker> | undefined
  const load = async (): Promise<RegexWorker> => {
    const { createRegexWorker } = await import('./regex/regex.ts')
    return createRegexWorker(workerPath)
  }
  const run = async (...job: Parameters<RegexWorker['run']>): Promise<unknown> => {
    const worker = await (loading ??= load())
    return worker.run(...job)
  }
  return {
    run: run as RegexWorker['run'],
    close: async () => (await loading)?.close(),
  }
}
