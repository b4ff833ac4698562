// Start files of login shells in the HOME of an attempt. Agents run `bash -lc`, and /etc/profile then
// rebuilds PATH without the shims; the start files put them first again, and the folders of the harness
// last, so that a login shell finds every tool that the harness finds.
import { existsSync, promises } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { ensureFolder } from '@zee/core/folders'
import { shellQuoted } from '@zee/evidence/attempt'

/** Read by sh, bash and zsh; each shell reads some of them. */
const posixFiles = ['.profile', '.bash_profile', '.bashrc', '.zprofile', '.zshenv'] as const
const fishFile = '.config/fish/config.fish'

export interface StartFilesRequest {
  /** The HOME of the attempt. */
  home: string
  shims: string
  /** The PATH of the harness. */
  searchPath: string
  /** The user's own HOME, if its start files are read too. */
  inheritFrom: string | undefined
}

/** Writes the start files; what a HOME template put there stays and runs in between. */
export async function writeStartFiles(request: StartFilesRequest): Promise<void> {
  for (const name of posixFiles)
    await writeStartFile(name, posixLines(request), posixSource, request)
  await writeStartFile(fishFile, fishLines(request), fishSource, request)
}

async function writeStartFile(
  name: string,
  shimsFirst: string,
  source: (file: string) => string,
  { home, inheritFrom }: StartFilesRequest,
): Promise<void> {
  const file = path.join(home, name)
  const fromTemplate = existsSync(file) ? readBoundedText(file) : ''
  const users = inheritFrom === undefined ? undefined : path.join(inheritFrom, name)
  const parts = [
    '# Made by zcl: keeps the shims of this attempt first on PATH.\n',
    shimsFirst,
    users !== undefined && existsSync(users) ? source(users) : '',
    fromTemplate === '' || fromTemplate.endsWith('\n') ? fromTemplate : `${fromTemplate}\n`,
    // The files in between may have rebuilt PATH again.
    shimsFirst,
  ]
  ensureFolder(path.dirname(file))
  await promises.writeFile(file, parts.join(''), { mode: 0o600 })
}

function posixLines({ shims, searchPath }: StartFilesRequest): string {
  const folder = shellQuoted(shims)
  const others = shellQuoted(searchPath)
  return `case "$PATH" in ${folder}:*) ;; *) PATH=${folder}:"$PATH" ;; esac
case ":$PATH:" in *:${others}:*) ;; *) PATH="$PATH":${others} ;; esac
export PATH
`
}

function posixSource(file: string): string {
  return `. ${shellQuoted(file)}\n`
}

function fishLines({ shims, searchPath }: StartFilesRequest): string {
  const others = searchPath.split(':').filter((folder) => folder !== '')
  return `set -gx PATH ${fishQuoted(shims)} (string match -v -- ${fishQuoted(shims)} $PATH)
for folder in ${others.map(fishQuoted).join(' ')}
  contains -- $folder $PATH; or set -gx PATH $PATH $folder
end
`
}

function fishSource(file: string): string {
  return `source ${fishQuoted(file)}\n`
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`
}
