// Finds an include of a repository's configuration that names a file outside the repository. Git reads
// included files with every command and has no option against it. Where git could understand a line in
// another way than this file, the line counts as an include of a file outside.
import path from 'node:path'
import { openRoot, resolveContained } from '../contained-path/contained-path.ts'
import { oneLine } from '../errors/errors.ts'
import { tryBoundedFile } from '../files/bounded-file.ts'

/** As git: includes of included files, up to this depth. */
const maxDepth = 10

/** Far above the size of a configuration. */
const maxBytes = 1 << 20

/** Why git must not read the configuration of the repository; undefined if it may. */
export function refusedConfiguration(workTree: string): string | undefined {
  try {
    const name = outsideInclude(workTree)
    if (name === undefined) return undefined
    return `the configuration of the repository includes ${oneLine(name)}, a file outside of it`
  } catch (error) {
    if (error instanceof UnreadableConfiguration) return error.message
    throw error
  }
}

/** The name of the first file outside; undefined without one. */
function outsideInclude(workTree: string): string | undefined {
  const { own, common } = gitFolders(workTree)
  const roots = [workTree, own, common]
  const seen = new Set<string>()
  let files = [path.join(common, 'config'), path.join(own, 'config.worktree')]
  // By depth: a file is read once, at its lowest depth, however many files include it.
  for (let depth = 0; depth <= maxDepth && files.length > 0; depth++) {
    const inner: string[] = []
    for (const file of files) {
      for (const name of includedPaths(textOf(file))) {
        const included = path.resolve(path.dirname(file), name)
        if (isOdd.test(name) || !roots.some((root) => isContained(root, included))) return name
        if (!seen.has(included)) inner.push(included)
        seen.add(included)
      }
    }
    files = inner
  }
  return undefined
}

/** Git expands `~` and `%(`, ends a value at a comment, and continues it after a backslash. */
const isOdd = /^[~:]|^%\(|[\\#;\]\ufffd]/

/** The folder of this work tree, and the one that it shares with other work trees. */
export function gitFolders(workTree: string): { own: string; common: string } {
  const entry = path.join(workTree, '.git')
  const [, pointer] = /^gitdir: ([^]*?)[\r\n]*$/.exec(textOf(entry)) ?? []
  const own = pointer === undefined ? entry : path.resolve(workTree, pointer)
  const shared = textOf(path.join(own, 'commondir')).replace(/\s+$/, '')
  return { own, common: path.resolve(own, shared) }
}

function isContained(root: string, file: string): boolean {
  return resolveContained(openRoot(root), file).failure === undefined
}

/** Values of `path` in the sections `include` and `includeIf`. */
function includedPaths(text: string): string[] {
  const paths: string[] = []
  let isInclude = false
  let isContinued = false
  for (const line of text.split('\n')) {
    // The header may follow a byte order mark or another header.
    if (/\[include/i.test(line)) isInclude = true
    else if (!isContinued && /^[ \t\r]*\[/.test(line)) isInclude = false
    isContinued = /\\\r?$/.test(line)
    const [, value] = (isInclude && /(?:^|\])\s*path\s*=([^]*)$/i.exec(line)) || []
    if (value !== undefined)
      paths.push(value.replaceAll('"', '').replace(/^[ \t\r]+|[ \t\r]+$/g, ''))
  }
  return paths
}

class UnreadableConfiguration extends Error {}

/** Empty for a file that is missing or that git cannot open, too. */
function textOf(file: string): string {
  try {
    const read = tryBoundedFile(file, { maxBytes })
    if (read.reason === undefined) return read.bytes.toString('utf8')
    if (read.code === 'eisdir') return ''
    throw new UnreadableConfiguration(`git cannot read ${oneLine(file)}: ${read.reason}`)
  } catch (error) {
    if (error instanceof UnreadableConfiguration) throw error
    return ''
  }
}
