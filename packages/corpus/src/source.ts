// Where operations get files from: straight from the disk, or from what is known of the tree.
import type { RequestTime } from './engine.ts'
import { DiskFiles } from './search/search.ts'
import type { SearchFiles, SearchRequest, PrefilterUse } from './search/search.ts'
import type { CorpusRoot } from './root/root.ts'
import type { Steps } from './steps.ts'
import { TreeWalk } from './walk/walk.ts'
import type { Walk, WalkOptions } from './walk/walk.ts'

export interface Source {
  walk(options: WalkOptions): Walk
  /** The files that a search has to look into. */
  files(request: SearchRequest, time: RequestTime): Steps<SearchFiles>
}

/** The plain way, and the one that all others have to agree with. */
export function diskSource(root: CorpusRoot, sift?: PrefilterUse): Source {
  return {
    walk: (options) => new TreeWalk(root, options),
    // oxlint-disable-next-line require-yield
    *files(request, time) {
      return new DiskFiles(new TreeWalk(root, request.selection.walk), request, time, sift)
    },
  }
}
