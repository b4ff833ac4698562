// Keeps the objects of a repository, by hard links, before a command that may delete them: `rm -rf .git`,
// `git gc --prune=now`. Snapshots refer to objects of git instead of copying clean files.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import type { GitFolder } from './git.ts'

/** Longer commands are cut: the bound keeps the patterns fast. */
const maxCommandLength = 10_000

/** Commands that may delete `.git` or objects in it. */
const risks: readonly RegExp[] = [
  /(?:^|[\s'"=/])\.git(?![\w.-])/,
  /\bgit\b[^\n;|&]*\b(?:gc|prune|prune-packed|repack|reflog|filter-branch|filter-repo|maintenance)\b/,
  // A recursive removal of `.`, `..`, `/path`, `$PWD`, `.*`; not of a folder inside the project.
  /\brm\b[^\n;|&]*\s-\w*[rR][^\n;|&]*\s["']?(?:\.|\.\/|\.\.\S*|\/\S*|~\S*|\$\S*|\S*\.\*|\S*\.\[\S*|\{\S*)["']?(?=\s|$|[;|&])/,
  /\bfind\b[^\n;|&]*(?:-delete|\brm\b)/,
  /\bcd\b[^\n]*\brm\b[^\n;|&]*\s-\w*[rR]/,
]

export function mayLoseObjects(command: string): boolean {
  const text = command.slice(0, maxCommandLength)
  return risks.some((risk) => risk.test(text))
}

/** A git folder with the kept objects of the repository at `top`. */
export function keptFolder(folder: string, top: string): string {
  return path.join(folder, `git-${createHash('sha256').update(top).digest('hex').slice(0, 12)}`)
}

/** Links the objects that are not kept yet. Objects never change, so a link is as good as a copy. */
export function keepObjects(folder: string, { top, folder: repository }: GitFolder): void {
  const common = commonFolder(repository)
  const target = keptFolder(folder, top)
  for (const name of ['refs', 'info', 'objects']) {
    mkdirSync(path.join(target, name), { recursive: true, mode: 0o700 })
  }
  linkFolder(path.join(common, 'objects'), path.join(target, 'objects'))
  const config = textOf(path.join(common, 'config'))
  // An included file may lie outside the repository.
  const isPlain = config !== undefined && !/^\s*\[\s*include/im.test(config)
  writeFileSync(path.join(target, 'config'), isPlain ? config : '', { mode: 0o600 })
  const exclude = textOf(path.join(common, 'info/exclude'))
  if (exclude !== undefined) {
    writeFileSync(path.join(target, 'info/exclude'), exclude, { mode: 0o600 })
  }
  // A folder without HEAD is no repository, so this file is the last one.
  writeFileSync(path.join(target, 'HEAD'), 'ref: refs/heads/kept\n', { mode: 0o600 })
}

/** The main repository of a linked working tree. */
function commonFolder(repository: string): string {
  const common = textOf(path.join(repository, 'commondir'))?.trim()
  return common === undefined ? repository : path.resolve(repository, common)
}

function linkFolder(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) {
      mkdirSync(target, { recursive: true, mode: 0o700 })
      linkFolder(source, target)
    } else if (entry.name === 'alternates') {
      writeFileSync(target, absoluteAlternates(source), { mode: 0o600 })
    } else if (entry.isFile()) linkOrCopy(source, target)
  }
}

/** Paths of alternates are relative to the folder of the objects. */
function absoluteAlternates(file: string): string {
  const objects = path.dirname(path.dirname(file))
  const lines = (textOf(file) ?? '').split('\n').filter((line) => line !== '')
  return lines.map((line) => `${path.resolve(objects, line)}\n`).join('')
}

function linkOrCopy(source: string, target: string): void {
  if (existsSync(target)) return
  try {
    linkSync(source, target)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EEXIST') return
    copyFileSync(source, target)
  }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
