// Tab after an `@` completes file names below the working folder. A path with a space stands in quotes.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { withoutControls } from '@zee/core/colour'

const maxNames = 200

/** The candidates, and the word that they replace. */
export function completePath(root: string, line: string): [string[], string] {
  const word = /(?:^|\s)(@(?:"[^"\n]*|[^\s"]*))$/.exec(line)?.[1]
  if (word === undefined) return [[], line]
  const isQuoted = word.startsWith('@"')
  const typed = word.slice(isQuoted ? 2 : 1)
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const prefix = typed.slice(folder.length)
  const names = listNames(path.resolve(root, folder))
    .filter((name) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')))
    .slice(0, maxNames)
  return [names.map((name) => reference(`${folder}${name}`, isQuoted)), word]
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => isTypable(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
  } catch {
    return []
  }
}

/** A prompt cannot name a file with control characters, line breaks or quotes; the terminal must not get them. */
function isTypable(name: string): boolean {
  return name === withoutControls(name) && !/["\t\n]/.test(name)
}

/** The quotes of a folder stay open, so that Tab goes on in it. */
function reference(file: string, isQuoted: boolean): string {
  if (!isQuoted && !/\s/.test(file)) return `@${file}`
  return file.endsWith('/') ? `@"${file}` : `@"${file}"`
}
