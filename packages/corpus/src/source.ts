// Where operations get files from: straight from the disk, or from what is known of the tree.
import type { RequestTime } from './engine.ts'
import type { GrepRequest } from './grep/request.ts'
import type { SiftUse } from './grep/sift/sifters.ts'
import { SelectedFiles } from './grep/selected-files.ts'
import type { GrepFiles } from './grep/selected-files.ts'
import type { CorpusRoot } from './root.ts'
import type { Steps } from './steps.ts'
import { TreeWalk } from './walk.ts'
import type { Walk, WalkOptions } from './walk.ts'

export interface Source {
  walk(options: WalkOptions): Walk
  /** The files that a search has to look into. */
  files(request: GrepRequest, time: RequestTime): Steps<GrepFiles>
}

/** The plain way, and the one that all others have to agree with. */
export function diskSource(root: CorpusRoot, sift?: SiftUse): Source {
  return {
    walk: (options) => new TreeWalk(root, options),
    // oxlint-disable-next-line require-yield
    *files(request, time) {
      return new SelectedFiles(new TreeWalk(root, request.selection.walk), request, time, sift)
    },
  }
}
