// Where operations get files from: the disk, or the index.
import { planDiskSearch } from './search/search.ts'
import type { CertifiedFiles, Prefilter, SearchPlan } from './search/search.ts'
import type { SearchRequest, SearchTask } from './search/search.ts'
import type { CorpusRoot } from './root/root.ts'
import type { Steps } from './steps.ts'
import { TreeWalk } from './walk/walk.ts'
import type { Walk, WalkOptions } from './walk/walk.ts'

export interface Source {
  walk(options: WalkOptions): Walk
  /** Opens the files that a search is about. */
  planSearch(task: SearchTask): Steps<SearchPlan>
  /** Hashes the files of a request from a cache; absent where there is none. */
  certify?(request: SearchRequest): Steps<CertifiedFiles>
  /** The files of the request that was searched last, if nothing has to be hashed. */
  certified?(request: SearchRequest): CertifiedFiles | undefined
}

/** The reference: every other source must return the same results. */
export function diskSource(root: CorpusRoot, prefilter?: Prefilter): Source {
  return {
    walk: (options) => new TreeWalk(root, options),
    // oxlint-disable-next-line require-yield
    *planSearch(task) {
      return planDiskSearch(new TreeWalk(root, task.request.selection.walk), task, prefilter)
    },
  }
}
