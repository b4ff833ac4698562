// Finds text of which only the hash is known: in its own file first, then in files with the same name, then in files
// of the same type. Hashes a slice at every line, up to a total.
import type { Engine } from '../engine/engine.ts'
import { sha256 } from './verdict.ts'

export interface Wanted {
  path: string
  /** First line and number of lines of the original. */
  start: number
  count: number
  digest: string
}

export interface Found {
  path: string
  lines: [start: number, end: number]
}

/** The search gives up after this many hashed characters, or files. */
const maxHashedChars = 1_000_000_000
const maxFiles = 5000
const maxFileChars = 4_000_000
const allLines = 2_000_000_000

export async function findMoved(wanted: Wanted, engine: Engine): Promise<Found | undefined> {
  const search = { hashed: 0 }
  const own = await findIn(wanted.path, wanted, engine, search)
  if (own !== undefined) return own
  for (const path of await likelyFiles(wanted.path, engine)) {
    const found = await findIn(path, wanted, engine, search)
    if (found !== undefined) return found
    if (search.hashed > maxHashedChars) return undefined
  }
  return undefined
}

/** Other files, the most similar names first. */
async function likelyFiles(path: string, engine: Engine): Promise<string[]> {
  const result = await engine.run('list_files', { max: 100_000, max_files: 200_000 })
  const files = Array.isArray(result.files) ? (result.files as string[]) : []
  const score = (file: string): number => {
    if (nameOf(file) === nameOf(path)) return 0
    return extensionOf(file) === extensionOf(path) ? (folderOf(file) === folderOf(path) ? 1 : 2) : 3
  }
  return files
    .filter((file) => file !== path)
    .map((file) => ({ file, score: score(file) }))
    .sort((a, b) => a.score - b.score)
    .slice(0, maxFiles)
    .map(({ file }) => file)
}

async function findIn(
  path: string,
  { start, count, digest }: Wanted,
  engine: Engine,
  search: { hashed: number },
): Promise<Found | undefined> {
  const lines = await readLines(path, engine)
  const last = lines.length - count + 1
  for (let distance = 0; distance < lines.length + start; distance++) {
    for (const at of distance === 0 ? [start] : [start - distance, start + distance]) {
      if (at < 1 || at > last) continue
      const text = lines.slice(at - 1, at - 1 + count).join('\n')
      if (sha256(text) === digest) return { path, lines: [at, at + count - 1] }
      search.hashed += text.length
      if (search.hashed > maxHashedChars) return undefined
    }
  }
  return undefined
}

/** Empty for a file that cannot be read. */
async function readLines(path: string, engine: Engine): Promise<string[]> {
  const args = { path, start_line: 1, end_line: allLines, max_lines: allLines }
  try {
    const { text } = await engine.run('read_file', { ...args, max_chars: maxFileChars })
    return text === '' ? [] : String(text).split('\n')
  } catch {
    return []
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function extensionOf(path: string): string {
  const name = nameOf(path)
  return name.slice(name.lastIndexOf('.') + 1)
}
