// Loads guidelines for the model from AGENTS.md files: the configuration folder, home, the folders
// between home and the project, and the project. The most specific file comes last.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { cutBuffer, decodeUtf8 } from '@zee/core/bounded'
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
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
  for (const file of candidateFiles(paths)) {
    const canonical = realpathOr(file, file)
    if (seen.has(canonical)) continue
    seen.add(canonical)
    const section = readSection(file, warnings)
    if (section !== undefined) sections.push(section)
  }
  return { text: render(sections), paths: sections.map((section) => section.path), warnings }
}

/** In loading order. Includes home and the folders in between only if the project is below home. */
function candidateFiles({ base, home, root }: ContextPaths): string[] {
  const folders = [base]
  const canonicalHome = home === undefined ? undefined : realpathOr(home, undefined)
  if (home !== undefined && canonicalHome !== undefined && isInside(canonicalHome, root)) {
    folders.push(home)
    const between = path.relative(canonicalHome, root).split(path.sep).slice(0, -1)
    let folder = canonicalHome
    for (const part of between) {
      folder = path.join(folder, part)
      folders.push(folder)
    }
  }
  folders.push(root)
  return folders.map((folder) => path.join(folder, 'AGENTS.md'))
}

function readSection(file: string, warnings: string[]): Section | undefined {
  try {
    const { bytes, size } = readStart(file)
    const truncated = size > maxBytes
    if (truncated) warnings.push(`Truncated ${oneLine(file)} (${size} bytes) to ${maxBytes} bytes`)
    const text = decodeUtf8(truncated ? cutBuffer(bytes, maxBytes) : bytes).trim()
    return text === '' ? undefined : { path: file, text, truncated }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') {
      warnings.push(`Failed to read ${oneLine(file)}: ${reasonOf(error)}`)
    }
    return undefined
  }
}

/** The first bytes of a file and its size. O_NONBLOCK avoids a hang on a pipe of that name. */
function readStart(file: string): { bytes: Buffer; size: number } {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile())
      throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file')
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes + 4))
    const length = readSync(descriptor, buffer, 0, buffer.length, 0)
    return { bytes: buffer.subarray(0, length), size: stats.size }
  } finally {
    closeSync(descriptor)
  }
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
