// The files that differ between two trees. Equal subtrees are skipped by their names.
import type { Repository, TreeEntry } from '../git/git.ts'

export interface FileChange {
  path: string
  /** Undefined if the file was added. */
  before: TreeEntry | undefined
  /** Undefined if the file was deleted. */
  after: TreeEntry | undefined
}

/** Changes in path order; `undefined` is an empty tree. `under` limits them to a path and everything below it. */
export function treeChanges(
  repository: Repository,
  before: string | undefined,
  after: string | undefined,
  under?: string,
): FileChange[] {
  const changes: FileChange[] = []
  const walk = (one: string | undefined, two: string | undefined, prefix: string): void => {
    if (one === two) return
    const old = new Map(entriesOf(repository, one).map((entry) => [keyOf(entry), entry]))
    const names = new Set(old.keys())
    const current = new Map(entriesOf(repository, two).map((entry) => [keyOf(entry), entry]))
    for (const key of current.keys()) names.add(key)
    for (const key of [...names].sort()) {
      const path = prefix + key
      if (under !== undefined && !isUnder(path, under)) continue
      compare(old.get(key), current.get(key), path)
    }
  }
  const compare = (one: TreeEntry | undefined, two: TreeEntry | undefined, path: string): void => {
    if (isSame(one, two)) return
    if (path.endsWith('/')) walk(one?.object, two?.object, path)
    else changes.push({ path, before: one, after: two })
  }
  walk(before, after, '')
  return changes
}

export function isSame(one: TreeEntry | undefined, two: TreeEntry | undefined): boolean {
  if (one === undefined || two === undefined) return one === two
  return one.object === two.object && one.kind === two.kind && one.isExecutable === two.isExecutable
}

function entriesOf(repository: Repository, tree: string | undefined): readonly TreeEntry[] {
  return tree === undefined ? [] : repository.tree(tree)
}

/** A folder and a file of the same name are different entries, and sort differently. */
function keyOf({ name, kind }: TreeEntry): string {
  return kind === 'folder' ? `${name}/` : name
}

function isUnder(path: string, under: string): boolean {
  return (
    path === under ||
    path.startsWith(`${under}/`) ||
    (path.endsWith('/') && `${under}/`.startsWith(path))
  )
}
