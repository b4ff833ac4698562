// The files of a revision of a git repository, read from its object database without running git.
import { Repository, resolveCommit } from '../git/git.ts'

export interface RepositoryFile {
  path: string
  kind: 'file' | 'link'
  /** Name of the object in hexadecimal. */
  object: string
}

export interface RepositoryFiles {
  /** Name of the commit in hexadecimal. */
  commit: string
  /** Time of the committer in seconds since 1970. */
  time: number
  /** In path order; without submodules. */
  files(): Generator<RepositoryFile>
  read(object: string): Buffer
  close(): void
}

/** Throws a ZeeError if the folder has no repository, or the revision no commit. */
export function repositoryFiles(folder: string, revision: string): RepositoryFiles {
  const repository = new Repository(folder)
  try {
    const commit = repository.commit(resolveCommit(repository, revision))
    return {
      commit: commit.name,
      time: commit.committer.time,
      files: () => filesBelow(repository, commit.tree, ''),
      read: (object) => repository.blob(object),
      close: () => repository.close(),
    }
  } catch (error) {
    repository.close()
    throw error
  }
}

function* filesBelow(
  repository: Repository,
  tree: string,
  prefix: string,
): Generator<RepositoryFile> {
  for (const { name, kind, object } of repository.tree(tree)) {
    const path = prefix + name
    if (kind === 'folder') yield* filesBelow(repository, object, `${path}/`)
    else if (kind !== 'submodule') yield { path, kind, object }
  }
}
