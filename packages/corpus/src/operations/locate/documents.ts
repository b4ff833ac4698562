// The selected files as documents. A file is read again only if its stamp has changed.
import { closeSync, fstatSync } from 'node:fs'
import type { Engine, RequestTime } from '../../engine.ts'
import { readFully } from '../../content/content.ts'
import { compilePaths } from '../../glob/glob.ts'
import { rankMemory } from '../../rank/rank.ts'
import type { FileDocument } from '../../rank/rank.ts'
import type { Steps } from '../../steps.ts'
import type { Walk } from '../../walk/walk.ts'
import { textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { selectionOf } from '../selection/selection.ts'

export interface Documents {
  /** In path order. */
  documents: FileDocument[]
  isLimited: boolean
  isExpired: boolean
}

/** Larger files are not source code. */
const maxBytes = 4 << 20

export function* readDocuments(
  engine: Engine,
  args: Arguments,
  time: RequestTime,
): Steps<Documents> {
  const glob = textArgument(args, 'glob')
  const globs = glob === undefined ? [] : [glob]
  const matcher = glob === undefined ? undefined : compilePaths(globs)
  const { walk: options, excluded, maxFiles } = selectionOf(args, globs, matcher)
  const wanted = matcher && ((prefix: string) => matcher.canMatchPrefix(prefix))
  const walk = engine.source.walk({ ...options, wanted })
  const memory = rankMemory(engine.root)
  const found: Documents = { documents: [], isLimited: false, isExpired: false }
  let count = 0
  try {
    while (walk.next()) {
      const { path } = walk
      if (matcher?.matches(path) === false || excluded?.matches(path) === true) continue
      found.isLimited = count === maxFiles
      found.isExpired = time.hasDeadline && time.remainingMs() <= 0
      if (found.isLimited || found.isExpired) break
      count++
      const document = memory.document(path, walk.stamp?.(), () => contentOf(walk))
      if (document !== undefined) found.documents.push(document)
      if (count % 64 === 0) yield
    }
    return found
  } finally {
    walk.close()
  }
}

/** Undefined for a file that cannot be read, is denied or is too large. */
function contentOf(walk: Walk): Buffer | undefined {
  if (walk.read !== undefined) return walk.read()
  const fd = walk.open()
  if (fd === -1) return undefined
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile() || stats.size > maxBytes) return undefined
    const buffer = Buffer.allocUnsafe(stats.size)
    return buffer.subarray(0, readFully(fd, buffer, 0))
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
