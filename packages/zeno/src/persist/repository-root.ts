// Which folder a session belongs to, and where its zeno folder is.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The nearest folder at or above `from` that holds one of the marks; `from` itself without one. */
export function repositoryRoot(from: string, marks: readonly string[]): string {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (marks.some((mark) => existsSync(path.join(folder, mark)))) return folder
    if (folder === path.dirname(folder)) return path.resolve(from)
  }
}

/** Of an agent's home in the repository (`.codex`, `.claude`); `override` is the user's word. */
export function zenoFolder(from: string, home: string, override: string | undefined): string {
  if (override !== undefined && override !== '') return path.resolve(from, override)
  return path.join(repositoryRoot(from, ['.git', home]), home, 'zeno')
}
