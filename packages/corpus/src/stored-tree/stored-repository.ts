// A stored tree in the form of a git repository: folders are made from the paths, and objects are looked up in the
// tree. It has no history.
import { gitError } from '../git/git.ts'
import type { Commit, Repository, TreeEntry } from '../git/git.ts'
import { comparePaths } from '../walk/walk.ts'
import type { StoredTree } from './stored-tree.ts'

interface Folder {
  entries: TreeEntry[]
  folders: Map<string, Folder>
}

/** The part of a repository that a revision needs. */
export function storedRepository(tree: StoredTree): Repository {
  const folders = new Map<string, readonly TreeEntry[]>()
  const top = foldersOf(tree)
  const commit = commitOf(tree)
  addFolder(folders, '', top)
  const treeOf = (name: string): readonly TreeEntry[] => folders.get(name) ?? []
  const stored = {
    layout: { topFolder: undefined },
    commit: () => commit,
    tree: treeOf,
    blob(object: string): Buffer {
      const bytes = tree.read(object)
      if (bytes === undefined)
        throw gitError('the file is not stored: it is binary, large or a link')
      return bytes
    },
    entryAt(name: string, path: string): TreeEntry | undefined {
      let found: TreeEntry | undefined
      let at: string | undefined = name
      for (const part of path.split('/')) {
        if (at === undefined) return undefined
        found = treeOf(at).find((entry) => entry.name === part)
        at = found?.kind === 'folder' ? found.object : undefined
      }
      return found
    },
    byDate(): never {
      throw gitError('stored trees have no history')
    },
    close: () => {},
  }
  // Only the members above are used by operations on one revision.
  return stored as unknown as Repository
}

function commitOf({ commit, time }: StoredTree): Commit {
  const person = { name: '', email: '', time, zone: '+0000' }
  return { name: commit, tree: '', parents: [], author: person, committer: person, message: '' }
}

function foldersOf({ files }: StoredTree): Folder {
  const top: Folder = { entries: [], folders: new Map() }
  for (const { path, object } of files) {
    const parts = path.split('/')
    const name = parts.pop() as string
    let at = top
    for (const part of parts) {
      const next = at.folders.get(part) ?? { entries: [], folders: new Map<string, Folder>() }
      at.folders.set(part, next)
      at = next
    }
    at.entries.push({ name, kind: 'file', isExecutable: false, object })
  }
  return top
}

/** The object of a folder is its path with a slash at both ends, which no object of a file is. */
function addFolder(
  into: Map<string, readonly TreeEntry[]>,
  path: string,
  { entries, folders }: Folder,
): void {
  const all = [...entries]
  for (const [name, folder] of folders) {
    const object = `${path}/${name}/`
    all.push({ name, kind: 'folder', isExecutable: false, object })
    addFolder(into, object, folder)
  }
  // The order of git: a folder is compared with a slash after its name.
  const key = ({ name, kind }: TreeEntry): string => (kind === 'folder' ? `${name}/` : name)
  all.sort((a, b) => comparePaths(key(a), key(b)))
  into.set(path, all)
}
