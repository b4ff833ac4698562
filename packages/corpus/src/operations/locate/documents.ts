// The selected files as documents. A file is read again only if its stamp has changed.
import { closeSync, fstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { systemClock } from '@zee/core/clock'
import type { Engine, RequestTime } from '../../engine.ts'
import { readFully } from '../../content/content.ts'
import { compilePaths } from '../../glob/glob.ts'
import { isRacy } from '../../index/index.ts'
import { rankMemory } from '../../rank/rank.ts'
import type { DocumentStore, FileDocument } from '../../rank/rank.ts'
import type { Steps } from '../../steps.ts'
import { hasReadFault } from '../../walk/walk.ts'
import type { ExcludedCount, Walk } from '../../walk/walk.ts'
import { textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { selectionOf } from '../selection/selection.ts'

export interface Documents {
  /** In path order. */
  documents: FileDocument[]
  isLimited: boolean
  isExpired: boolean
  /** Files that the disk did not return, or that no descriptor was left for. */
  unreadable: number
  /** What the default rules hide, after a complete walk. */
  hidden: ReturnType<ExcludedCount['fields']>
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
  const { walk: options, excluded, maxFiles } = selectionOf(withHidden(args), globs, matcher)
  const wanted = matcher && ((prefix: string) => matcher.canMatchPrefix(prefix))
  const walk = engine.source.walk({ ...options, wanted })
  const store = rankMemory(engine.root).documents
  store.startRequest()
  const found: Documents = {
    documents: [],
    isLimited: false,
    isExpired: false,
    unreadable: 0,
    hidden: {},
  }
  const onFailure = (): void => {
    if (hasReadFault(engine.root, walk.path)) found.unreadable++
  }
  let count = 0
  try {
    while (walk.next()) {
      const { path } = walk
      if (matcher?.matches(path) === false || excluded?.matches(path) === true) continue
      found.isLimited = count === maxFiles
      found.isExpired = time.hasDeadline && time.remainingMs() <= 0
      if (found.isLimited || found.isExpired) break
      count++
      const document = documentOf(store, walk, onFailure)
      if (document !== undefined) found.documents.push(document)
      if (count % 64 === 0) yield
    }
    if (!found.isLimited && !found.isExpired) found.hidden = walk.excluded.fields()
    return found
  } finally {
    walk.close()
  }
}

/** Texts are often about hidden files, such as the workflows of a host. */
function withHidden(args: Arguments): Arguments {
  return { ...args, include_hidden: args.include_hidden ?? true }
}

/** Undefined for a file that cannot be read, is denied, too large or binary. */
function documentOf(
  store: DocumentStore,
  walk: Walk,
  onFailure: () => void,
): FileDocument | undefined {
  const { path } = walk
  const stamp = walk.stamp?.()
  if (walk.read !== undefined) return store.document(path, stamp, () => walk.read?.())
  if (stamp !== undefined)
    return store.document(path, stamp, () => withFile(walk, contentOf, onFailure))
  const read = (fd: number, stats: BigIntStats) =>
    store.document(path, stampOf(stats), () => contentOf(fd, stats))
  return withFile(walk, read, onFailure)
}

function withFile<Result>(
  walk: Walk,
  use: (fd: number, stats: BigIntStats) => Result,
  onFailure: () => void,
): Result | undefined {
  const fd = walk.open()
  if (fd === -1) {
    onFailure()
    return undefined
  }
  try {
    const stats = fstatSync(fd, { bigint: true })
    return stats.isFile() && stats.size <= maxBytes ? use(fd, stats) : undefined
  } catch {
    onFailure()
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** For a file that the index does not watch. Undefined if its times cannot reveal the next change. */
function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string | undefined {
  const nowNs = BigInt(systemClock.now().getTime()) * 1_000_000n
  return isRacy(ctimeNs, nowNs) ? undefined : `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`
}

function contentOf(fd: number, { size }: BigIntStats): Buffer {
  const buffer = Buffer.allocUnsafe(Number(size))
  return buffer.subarray(0, readFully(fd, buffer, 0))
}
