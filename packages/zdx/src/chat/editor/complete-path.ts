// Tab after an `@` completes file names below the working folder.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { withoutControls } from '@zee/core/colour'

const maxNames = 200

/** A readline completer: the candidates, and the word that they replace. */
export function completePath(root: string, line: string): [string[], string] {
  const word = /(?:^|\s)(@\S*)$/.exec(line)?.[1]
  if (word === undefined) return [[], line]
  const typed = word.slice(1)
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const prefix = typed.slice(folder.length)
  const names = listNames(path.resolve(root, folder))
    .filter((name) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')))
    .slice(0, maxNames)
  return [names.map((name) => `@${folder}${name}`), word]
}

function listNames(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        // readline prints candidates unescaped, so names with control characters are left out.
        .filter(({ name }) => name === withoutControls(name))
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .sort()
    )
  } catch {
    return []
  }
}
