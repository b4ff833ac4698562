// Finds the repository of a session and the zeno folder in it.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { leadsOutOf } from '@zee/core/contained-path'
import { oneLine, ZeeError } from '@zee/core/errors'

/** Returns the nearest folder at or above `from` that contains one of `marks`, otherwise `from`. */
export function repositoryRoot(from: string, marks: readonly string[]): string {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (marks.some((mark) => existsSync(path.join(folder, mark)))) return folder
    if (folder === path.dirname(folder)) return path.resolve(from)
  }
}

/** Returns `<repository>/<home>/zeno`, where `home` is `.codex` or `.claude`; `override` is ZENO_ROOT. */
export function zenoFolder(from: string, home: string, override: string | undefined): string {
  if (override !== undefined && override !== '') return path.resolve(from, override)
  const root = repositoryRoot(from, ['.git', home])
  const folder = path.join(root, home, 'zeno')
  // The link may come with a repository: it must not choose where zeno reads and writes.
  for (const each of [path.dirname(folder), folder]) {
    if (!leadsOutOf(root, each)) continue
    const message = `${oneLine(each)} leads out of the repository; set ZENO_ROOT to use its target`
    throw new ZeeError('outside', message)
  }
  return folder
}
