// Finds the repository of a session and the zeno folder in it.
import { existsSync } from 'node:fs'
import path from 'node:path'

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
  return path.join(repositoryRoot(from, ['.git', home]), home, 'zeno')
}
