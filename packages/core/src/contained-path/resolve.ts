// Where a path really leads, links resolved, also when its end does not exist.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { nameText, systemName } from './names.ts'

export interface RealPath {
  /** Absolute, without links; as text, see the names file. */
  path: string
  /** Why the end of it does not exist or cannot be looked at; undefined when it is there. */
  errno: string | undefined
}

// What Linux follows, and how long a path it takes, before it gives up.
const mostLinks = 40
const mostBytes = 4096

/** The real path of an absolute one. Undefined when it is no path at all. */
export function realPath(path: string): RealPath | undefined {
  const name = systemName(path)
  if (name === undefined) return undefined
  if (Buffer.byteLength(name) >= mostBytes) return { path, errno: 'ENAMETOOLONG' }
  try {
    return { path: wholePath(name), errno: undefined }
  } catch {
    return walk(path)
  }
}

function wholePath(name: string | Buffer): string {
  const text = realpathSync.native(name)
  if (!text.includes('\ufffd')) return text
  return nameText(realpathSync.native(name, 'buffer'))
}

/** Component by component: what does not exist is taken as it is written. */
function walk(path: string): RealPath {
  const rest = path.split('/').reverse()
  const done: string[] = []
  let links = 0
  while (rest.length > 0) {
    const part = rest.pop() as string
    if (part === '' || part === '.') continue
    if (part === '..') {
      done.pop()
      continue
    }
    done.push(part)
    const { target } = look(`/${done.join('/')}`)
    if (target === undefined) continue
    if (++links > mostLinks) return { path: `/${done.join('/')}`, errno: 'ELOOP' }
    if (target.startsWith('/')) done.length = 0
    else done.pop()
    rest.push(...target.split('/').reverse())
  }
  const end = `/${done.join('/')}`
  return { path: end, errno: look(end).errno }
}

function look(path: string): { target?: string; errno?: string } {
  const name = systemName(path) as string | Buffer
  try {
    if (!lstatSync(name).isSymbolicLink()) return {}
    return { target: nameText(readlinkSync(name, 'buffer')) }
  } catch (error) {
    return { errno: errnoOf(error) ?? 'EIO' }
  }
}
