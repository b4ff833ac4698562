// Reads the names of everything that a search usually looks into.
import type { CorpusRoot } from '../../root/root.ts'
import { defaultExcludedFolders } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import type { FolderTree } from './tree.ts'
import { IndexedWalk } from './walk.ts'

const turnFolders = 8

/** Beyond this even names are too much to keep. */
const mostFiles = 3_000_000

/** There is no use in an index of this. */
export function isHopeless({ isMadeUp, table }: FolderTree): boolean {
  return isMadeUp || table.count > mostFiles
}

/** `onTurn` is called every now and then. */
export function* loadTree(root: CorpusRoot, tree: FolderTree, onTurn: () => void): Steps<void> {
  const excludedFolders = new Set(defaultExcludedFolders)
  let folders = 0
  const turn = { due: false }
  const walk = new IndexedWalk(root, tree, {
    ...{ includeHidden: false, excludedFolders, gitignore: false },
    wanted: () => {
      turn.due = ++folders % turnFolders === 0
      return true
    },
  })
  try {
    while (walk.next() && !isHopeless(tree)) {
      if (!turn.due) continue
      turn.due = false
      onTurn()
      yield
    }
  } finally {
    walk.close()
  }
}
