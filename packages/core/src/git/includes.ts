// Finds an include of a repository's configuration that names a file outside the repository. Git reads
// included files with every command and has no option against it.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { openRoot, resolveContained } from '../contained-path/contained-path.ts'

/** As git: includes of included files, up to this depth. */
const maxDepth = 10

/** The name of the first file outside; undefined without one. */
export function outsideInclude(workTree: string): string | undefined {
  const { own, common } = gitFolders(workTree)
  const roots = [workTree, own, common]
  const files = [path.join(common, 'config'), path.join(own, 'config.worktree')]
  return firstOf(files, (file) => includedOutside(file, roots, 0))
}

/** The folder of this work tree, and the one that it shares with other work trees. */
function gitFolders(workTree: string): { own: string; common: string } {
  const entry = path.join(workTree, '.git')
  const pointer = /^gitdir: (.*)/.exec(readOrEmpty(entry))?.[1]
  const own = pointer === undefined ? entry : path.resolve(workTree, pointer)
  const shared = readOrEmpty(path.join(own, 'commondir')).trim()
  return { own, common: path.resolve(own, shared) }
}

function includedOutside(
  file: string,
  roots: readonly string[],
  depth: number,
): string | undefined {
  if (depth > maxDepth) return undefined
  return firstOf(includedPaths(readOrEmpty(file)), (name) => {
    const included = path.resolve(path.dirname(file), name)
    // Git expands `~`; a backslash may continue on the next line.
    const isInside = !/^~|\\|^%\(/.test(name) && roots.some((root) => isContained(root, included))
    return isInside ? includedOutside(included, roots, depth + 1) : name
  })
}

function isContained(root: string, file: string): boolean {
  return resolveContained(openRoot(root), file).failure === undefined
}

/** Values of `path` in the sections `include` and `includeIf`. */
function includedPaths(text: string): string[] {
  const sections = text.split(/^(?=[ \t]*\[)/m).filter((each) => /^[ \t]*\[include/i.test(each))
  return sections.flatMap((section) =>
    [...section.matchAll(/(?:^|\])[ \t]*path[ \t]*=[ \t]*(.*)/gim)].map(([, value = '']) =>
      value.replaceAll('"', '').trim(),
    ),
  )
}

function readOrEmpty(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function firstOf<T, U>(values: readonly T[], find: (value: T) => U | undefined): U | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
