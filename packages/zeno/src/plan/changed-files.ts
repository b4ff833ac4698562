// The files and the lines that a branch or the working tree changes, from git.
import { oneLine, ZeeError } from '@zee/core/errors'
import { runGit } from '@zee/core/git'

export interface ChangedQuery {
  folder: string
  base?: string | undefined
  head?: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

/** A changed file with its changed line ranges in the new version. */
export interface ChangedFile {
  path: string
  /** Start and end, in order; empty if the changed lines are unknown. */
  hunks: [start: number, end: number][]
}

/** Lists the files changed on `head` since its merge base with `base`; without a base, uncommitted changes. */
export async function changedFiles(query: ChangedQuery): Promise<ChangedFile[]> {
  const { folder, base, head = 'HEAD', env } = query
  const range = base === undefined ? head : `${base}...${head}`
  if (range.startsWith('-')) throw failure(range, 'a revision must not start with a dash')
  const flags = ['--unified=0', '--no-color', '--no-renames', '--diff-filter=d', '--relative']
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/']
  const names = await runGit({
    ...{ folder, env },
    args: [
      'diff',
      '--name-only',
      '-z',
      '--no-renames',
      '--diff-filter=d',
      '--relative',
      range,
      '--',
    ],
  })
  if (!names.ok) throw failure(range, names.reason)
  const paths = names.output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '')
  const diff = await runGit({ folder, env, args: ['diff', ...flags, ...prefixes, range, '--'] })
  const hunks = diff.ok ? hunksByFile(diff.output.toString('utf8')) : new Map()
  return paths.map((path) => ({ path, hunks: hunks.get(path) ?? [] }))
}

function failure(range: string, reason: string): ZeeError {
  return new ZeeError('git', `cannot list the changed files of ${oneLine(range)}: ${reason}`)
}

/** Reads `+++ b/path` and `@@ -a,b +c,d @@` of a diff without context. */
export function hunksByFile(diff: string): Map<string, [number, number][]> {
  const files = new Map<string, [number, number][]>()
  let hunks: [number, number][] | undefined
  // Lines of the file's content follow; they are counted so that none is taken for a header.
  let content = 0
  for (const line of diff.split('\n')) {
    if (content > 0) {
      if (!line.startsWith('\\')) content--
      continue
    }
    const file = /^\+\+\+ b\/([^\t]*)/.exec(line)?.[1]
    if (file !== undefined) files.set(file, (hunks = []))
    const header = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (header === null || hunks === undefined) continue
    const [removed, start, added] = [header[1] ?? '1', header[2], header[3] ?? '1'].map(Number) as [
      number,
      number,
      number,
    ]
    content = removed + added
    hunks.push([Math.max(1, start), Math.max(1, start + Math.max(added, 1) - 1)])
  }
  return files
}
