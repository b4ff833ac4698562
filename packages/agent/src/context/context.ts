// Loads guidelines for the model from AGENTS.md files: the configuration folder, home, the folders
// between home and the project, and the project. The most specific file comes last. A link is followed
// only inside its folder: a repository must not choose which other files are sent to the provider.
import { closeSync, existsSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { cutBuffer, decodeUtf8 } from '@zee/core/bounded'
import type { PathFailureKind } from '@zee/core/contained-path'
import { openContained, openRoot } from '@zee/core/contained-path'
import { oneLine, reasonOf } from '@zee/core/errors'
import { isInside } from '../files/files.ts'

const maxBytes = 64 * 1024

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
  /** The canonical path of the project. */
  root: string
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
    const file = path.join(folder, 'AGENTS.md')
    const canonical = realpathOr(file, file)
    if (seen.has(canonical)) continue
    seen.add(canonical)
    const section = readSection(file, container, warnings)
    if (section !== undefined) sections.push(section)
  }
  return { text: render(sections), paths: sections.map((section) => section.path), warnings }
}

interface Candidate {
  folder: string
  /** Links that lead out of this folder are not followed. */
  container: string
}

/** In loading order. Includes home and the folders in between only if the project is below home. */
function candidateFolders({ base, home, root }: ContextPaths): Candidate[] {
  const canonicalHome = home === undefined ? undefined : realpathOr(home, undefined)
  const isBaseAtHome =
    canonicalHome !== undefined && isInside(canonicalHome, realpathOr(base, base))
  const candidates = [{ folder: base, container: isBaseAtHome ? canonicalHome : base }]
  const add = (folder: string) => void candidates.push({ folder, container: folder })
  if (home !== undefined && canonicalHome !== undefined && isInside(canonicalHome, root)) {
    add(home)
    const between = path.relative(canonicalHome, root).split(path.sep).slice(0, -1)
    let folder = canonicalHome
    for (const part of between) {
      folder = path.join(folder, part)
      add(folder)
    }
  }
  add(root)
  return candidates
}

function readSection(file: string, container: string, warnings: string[]): Section | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { bytes, size } = readStart(file, container)
    const truncated = size > maxBytes
    if (truncated) warnings.push(`Truncated ${oneLine(file)} (${size} bytes) to ${maxBytes} bytes`)
    const text = decodeUtf8(truncated ? cutBuffer(bytes, maxBytes) : bytes).trim()
    return text === '' ? undefined : { path: file, text, truncated }
  } catch (error) {
    warnings.push(`Failed to read ${oneLine(file)}: ${reasonOf(error)}`)
    return undefined
  }
}

/** The first bytes of a file and its size. */
function readStart(file: string, container: string): { bytes: Buffer; size: number } {
  const opened = openContained(openRoot(container), path.resolve(file))
  if (opened.failure !== undefined) {
    throw new Error(failureReason(opened.failure, container) ?? opened.errno ?? opened.failure)
  }
  try {
    const { size } = opened.stats
    const buffer = Buffer.alloc(Math.min(size, maxBytes + 4))
    const length = readSync(opened.fd, buffer, 0, buffer.length, 0)
    return { bytes: buffer.subarray(0, length), size }
  } finally {
    closeSync(opened.fd)
  }
}

function failureReason(failure: PathFailureKind, container: string): string | undefined {
  if (failure === 'outside') return `it is a link that leads out of ${container}`
  if (failure === 'is_directory') return 'it is a folder'
  if (failure === 'not_a_file') return 'it is not a regular file'
  return failure === 'denied' ? 'permission denied' : undefined
}

function render(sections: readonly Section[]): string | undefined {
  if (sections.length === 0) return undefined
  const parts = sections.map(
    ({ path, text, truncated }) => `## ${path}${truncated ? ' [truncated]' : ''}\n\n${text}`,
  )
  return ['# Project Context', ...parts].join('\n\n')
}

function realpathOr<T>(file: string, fallback: T): string | T {
  try {
    return realpathSync(file)
  } catch {
    return fallback
  }
}
