// Tab behind an `@` completes the names of files below the working folder.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { withoutControls } from '@zee/core/colour'

const mostNames = 200

/** In the form that readline wants: what the word may become, and the word. */
export function completePath(root: string, line: string): [string[], string] {
  const word = /(?:^|\s)(@\S*)$/.exec(line)?.[1]
  if (word === undefined) return [[], line]
  const typed = word.slice(1)
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const begun = typed.slice(folder.length)
  const names = namesIn(path.resolve(root, folder))
    .filter((name) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .slice(0, mostNames)
  return [names.map((name) => `@${folder}${name}`), word]
}

function namesIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        // readline shows them as they are, and nobody could type them.
        .filter(({ name }) => name === withoutControls(name))
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .sort()
    )
  } catch {
    return []
  }
}
