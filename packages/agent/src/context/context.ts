// Loads guidelines for the model from AGENTS.md files: the configuration folder, home, the folders
// between home or the top of the repository and the working folder. The most specific file comes last.
// CLAUDE.md is read where a folder has no AGENTS.md.
import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { isInside } from '../files/files.ts'
import { canonicalOrSelf, type Workplace } from '../project/project.ts'
import { maxGuidanceBytes, readGuidanceFile } from './guidance-file.ts'

export { readGuidanceFile } from './guidance-file.ts'

export interface ProjectContext {
  /** The section for the system prompt; undefined if all files are empty or missing. */
  text: string | undefined
  paths: readonly string[]
  warnings: readonly string[]
}

export interface ContextPaths {
  /** The configuration folder of zdx. */
  base: string
  home: string | undefined
  workplace: Pick<Workplace, 'root' | 'top'>
}

interface Section {
  path: string
  text: string
  truncated: boolean
}

export function loadProjectContext(paths: ContextPaths): ProjectContext {
  const warnings: string[] = []
  const sections: Section[] = []
  const seen = new Set<string>()
  for (const { folder, container } of candidateFolders(paths)) {
    const file = guidanceFileIn(folder)
    if (file === undefined) continue
    const canonical = canonicalOrSelf(file)
    if (seen.has(canonical)) continue
    seen.add(canonical)
    const section = readSection(file, container, warnings)
    if (section !== undefined) sections.push(section)
  }
  return { text: render(sections), paths: sections.map((section) => section.path), warnings }
}

/** A broken link counts as present: it must be reported, and CLAUDE.md must not replace it. */
function guidanceFileIn(folder: string): string | undefined {
  const file = path.join(folder, 'AGENTS.md')
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file
  const other = path.join(folder, 'CLAUDE.md')
  return existsSync(other) ? other : undefined
}

interface Candidate {
  folder: string
  /** Links that lead out of this folder are not followed. */
  container: string
}

/** In loading order: the configuration folder, then from the outermost folder down to `root`. */
function candidateFolders({ base, home, workplace: { root, top } }: ContextPaths): Candidate[] {
  const canonicalHome = home && canonicalOrSelf(home)
  const outer = [canonicalHome, top].filter(
    (folder): folder is string => folder !== undefined && isInside(folder, root),
  )
  const chain = new Set([
    ...outer.flatMap((folder) => [folder, ...foldersBetween(folder, root)]),
    root,
  ])
  // All of them lie on one path, so a shorter one is further out.
  const folders = [...chain].sort((a, b) => a.length - b.length)
  return [
    { folder: base, container: userContainer(base, home) },
    ...folders.map((folder) => ({
      // Home is shown as the environment writes it.
      folder: folder === canonicalHome && folder !== root ? (home ?? folder) : folder,
      container: top !== undefined && isInside(top, folder) ? top : folder,
    })),
  ]
}

/** Links of the user's own folder may lead anywhere in the home folder that contains it. */
export function userContainer(base: string, home: string | undefined): string {
  const canonicalHome = home && canonicalOrSelf(home)
  const isAtHome = canonicalHome !== undefined && isInside(canonicalHome, canonicalOrSelf(base))
  return isAtHome ? canonicalHome : base
}

/** The folders strictly between `outer` and `inner`, outermost first. */
function foldersBetween(outer: string, inner: string): string[] {
  const names = path.relative(outer, inner).split(path.sep).slice(0, -1)
  return names.map((_name, index) => path.join(outer, ...names.slice(0, index + 1)))
}

function readSection(file: string, container: string, warnings: string[]): Section | undefined {
  if (!existsSync(file)) return undefined
  const read = readGuidanceFile(file, container)
  if (typeof read === 'string') {
    warnings.push(`Failed to read ${oneLine(file)}: ${read}`)
    return undefined
  }
  const { text, size, truncated } = read
  if (truncated) {
    warnings.push(`Truncated ${oneLine(file)} (${size} bytes) to ${maxGuidanceBytes} bytes`)
  }
  return text === '' ? undefined : { path: file, text, truncated }
}

function render(sections: readonly Section[]): string | undefined {
  if (sections.length === 0) return undefined
  const parts = sections.map(
    ({ path, text, truncated }) => `## ${path}${truncated ? ' [truncated]' : ''}\n\n${text}`,
  )
  return ['# Project Context', ...parts].join('\n\n')
}
