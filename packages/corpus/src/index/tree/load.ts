// Reads the names of all files that a default search covers.
import type { CorpusRoot } from '../../root/root.ts'
import { defaultExcludedFolders } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import type { FolderTree } from './tree.ts'
import { IndexedWalk } from './walk.ts'

const turnFolders = 8

/** Maximum number of files in an index. */
const maxFiles = 3_000_000

/** Whether the tree is virtual or too large for an index. */
export function isUnindexable({ isVirtual, table }: FolderTree): boolean {
  return isVirtual || table.count > maxFiles
}

/** Calls `onTurn` before each pause. */
export function* loadTree(root: CorpusRoot, tree: FolderTree, onTurn: () => void): Steps<void> {
  const defaultFolders = new Set(defaultExcludedFolders)
  let folders = 0
  const turn = { due: false }
  const walk = new IndexedWalk(root, tree, {
    ...{ includeHidden: false, excludedFolders: new Set(), defaultFolders, gitignore: false },
    wanted: () => {
      turn.due = ++folders % turnFolders === 0
      return true
    },
  })
  try {
    while (walk.next() && !isUnindexable(tree)) {
      if (!turn.due) continue
      turn.due = false
      onTurn()
      yield
    }
  } finally {
    walk.close()
  }
}
