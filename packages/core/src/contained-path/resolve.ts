// Resolves the links of a path, also if its end does not exist.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { nameText, systemName } from './names.ts'

export interface RealPath {
  /** Absolute, without links; names as text as in names.ts. */
  path: string
  /** Why the end of the path does not exist or is not accessible; undefined if it exists. */
  errno: string | undefined
}

// Limits of Linux: links followed in one path (ELOOP), bytes of a path (ENAMETOOLONG).
const maxLinks = 40
const maxPathBytes = 4096

/** The real path of an absolute one; undefined if the text encodes no path. */
export function realPath(path: string): RealPath | undefined {
  const name = systemName(path)
  if (name === undefined) return undefined
  if (Buffer.byteLength(name) >= maxPathBytes) return { path, errno: 'ENAMETOOLONG' }
  try {
    return { path: realPathText(name), errno: undefined }
  } catch {
    return resolveStepwise(path)
  }
}

function realPathText(name: string | Buffer): string {
  const text = realpathSync.native(name)
  if (!text.includes('\ufffd')) return text
  return nameText(realpathSync.native(name, 'buffer'))
}

/** Resolves component by component; components that do not exist stay as written. */
function resolveStepwise(path: string): RealPath {
  const rest = path.split('/').reverse()
  const parts: string[] = []
  let links = 0
  while (rest.length > 0) {
    const part = rest.pop() as string
    if (part === '' || part === '.') continue
    if (part === '..') {
      parts.pop()
      continue
    }
    parts.push(part)
    const { target } = inspect(`/${parts.join('/')}`)
    if (target === undefined) continue
    if (++links > maxLinks) return { path: `/${parts.join('/')}`, errno: 'ELOOP' }
    if (target.startsWith('/')) parts.length = 0
    else parts.pop()
    rest.push(...target.split('/').reverse())
  }
  const end = `/${parts.join('/')}`
  return { path: end, errno: inspect(end).errno }
}

function inspect(path: string): { target?: string; errno?: string } {
  const name = systemName(path) as string | Buffer
  try {
    if (!lstatSync(name).isSymbolicLink()) return {}
    return { target: nameText(readlinkSync(name, 'buffer')) }
  } catch (error) {
    return { errno: errnoOf(error) ?? 'EIO' }
  }
}
