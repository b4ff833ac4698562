// Keeps the objects of a repository, by hard links, before a command that may delete them: `rm -rf .git`,
// `git gc --prune=now`. Snapshots refer to objects of git instead of copying clean files.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, promises, readdirSync } from 'node:fs'
import path from 'node:path'
import { fillFileAtomic, flushFolder, writeFileAtomic } from '@zee/core/atomic-file'
import { readBoundedText } from '@zee/core/bounded-file'
import { errnoOf } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import type { GitFolder } from './git.ts'
import { flush } from './store.ts'

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

/**
 * Links the objects that are not kept yet, and flushes them: the command may delete the only other
 * names. Objects never change, so a link is as good as a copy.
 */
export async function keepObjects(
  folder: string,
  { top, folder: repository }: GitFolder,
): Promise<void> {
  const common = commonFolder(repository)
  const target = keptFolder(folder, top)
  for (const name of ['refs', 'info']) ensureDurableFolder(path.join(target, name), 0o700)
  await linkFolder(path.join(common, 'objects'), path.join(target, 'objects'))
  const config = textOf(path.join(common, 'config'))
  // An included file may lie outside the repository.
  const isPlain = config !== undefined && !/^\s*\[\s*include/im.test(config)
  await writeFileAtomic(path.join(target, 'config'), isPlain ? config : '', { mode: 0o600 })
  const exclude = textOf(path.join(common, 'info/exclude'))
  if (exclude !== undefined) {
    await writeFileAtomic(path.join(target, 'info/exclude'), exclude, { mode: 0o600 })
  }
  // A folder without HEAD is no repository, so this file is the last one.
  await writeFileAtomic(path.join(target, 'HEAD'), 'ref: refs/heads/kept\n', { mode: 0o600 })
}

/** The main repository of a linked working tree. */
function commonFolder(repository: string): string {
  const common = textOf(path.join(repository, 'commondir'))?.trim()
  return common === undefined ? repository : path.resolve(repository, common)
}

async function linkFolder(from: string, to: string): Promise<void> {
  ensureDurableFolder(to, 0o700)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await linkFolder(source, target)
    else if (entry.name === 'alternates') {
      await writeFileAtomic(target, absoluteAlternates(source), { mode: 0o600 })
    } else if (entry.isFile()) await linkOrCopy(source, target)
  }
  // Also without a new link: a killed process may have left links that are not flushed.
  await flushFolder(to)
}

/** Paths of alternates are relative to the folder of the objects. */
function absoluteAlternates(file: string): string {
  const objects = path.dirname(path.dirname(file))
  const lines = (textOf(file) ?? '').split('\n').filter((line) => line !== '')
  return lines.map((line) => `${path.resolve(objects, line)}\n`).join('')
}

/** Flushes the object before its link exists, because git does not flush loose objects by default. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  if (existsSync(target)) return
  try {
    flush(source)
    linkSync(source, target)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EEXIST') return
    await fillFileAtomic(target, (temp) => copyWritable(source, temp), { mode: 0o600 })
  }
}

/** Objects of git are read-only; the copy is opened for writing to flush it. */
async function copyWritable(source: string, target: string): Promise<void> {
  await promises.copyFile(source, target)
  await promises.chmod(target, 0o600)
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readBoundedText(file) : undefined
}
