// The certificate of a search: a Merkle root over every file that the search covered, and what it left out. A search
// without hits and with a certificate shows that the pattern was absent.
import { closeSync, fstatSync } from 'node:fs'
import { digestOfFile, leafOf, merkleRoot, sha256Of } from '../../merkle/merkle.ts'
import type { CertifiedFiles, SearchRequest } from '../../search/search.ts'
import type { Source } from '../../source.ts'
import type { Steps } from '../../steps.ts'
import type { Excluded, ExcludedCount } from '../../walk/walk.ts'
import type { Arguments } from '../arguments.ts'

export interface Certificate {
  /** Files under the root hash, and their bytes. */
  files: number
  bytes: number
  /** SHA-256 in hexadecimal. */
  root: string
  /** Files that are not under it, and the rules that left them out. */
  excluded: Excluded
  /** The arguments of the request. */
  args: Record<string, unknown>
}

/** Undefined if a file may have changed after `searchedMs`, when the search started. */
export function certifiedFiles(
  source: Source,
  request: SearchRequest,
  searchedMs: number,
): Steps<CertifiedFiles | undefined> {
  return source.certify?.(request) ?? certifyDisk(source, request, searchedMs)
}

export function certificateOf(certified: CertifiedFiles, args: Arguments): Certificate {
  const { files, bytes, root, excluded } = factsOf(certified)
  return { files, bytes, root, excluded, args: coveringArgs(args) }
}

/** Leaves out what changes the size of an answer, but not what it covers. A copy by rest takes 1 µs longer. */
function coveringArgs(args: Arguments): Arguments {
  const covering = { ...args }
  if (covering.max_answer !== undefined) delete covering.max_answer
  if (covering.cursor !== undefined) delete covering.cursor
  return covering
}

type Facts = Omit<Certificate, 'args'>

/** An index returns the same files until they change; at 10,000 files these facts are 4 % of a warm search. */
const knownFacts = new WeakMap<CertifiedFiles, Facts>()

function factsOf(certified: CertifiedFiles): Facts {
  const known = knownFacts.get(certified)
  if (known !== undefined) return known
  const { files, bytes, root, skippedLarge, unreadable } = certified
  const excluded = allExcluded(certified.excluded, { max_bytes: skippedLarge, unreadable })
  const facts = { files, bytes, root, excluded }
  knownFacts.set(certified, facts)
  return facts
}

function allExcluded(excluded: ExcludedCount, counts: Record<string, number>): Excluded {
  const base = excluded.fields().excluded ?? { folders: 0, files: 0, by: [] }
  const more = Object.entries({ ...counts, denied: excluded.denied }).filter(
    ([, count]) => count > 0,
  )
  const files = more.reduce((sum, [, count]) => sum + count, base.files)
  const by = [...new Set([...base.by, ...more.map(([rule]) => rule)])].sort()
  return { folders: base.folders, files, by }
}

/** Resolution of the clock that dates changes of files, with a margin. */
const clockLagMs = 10

function* certifyDisk(
  source: Source,
  request: SearchRequest,
  searchedMs: number,
): Steps<CertifiedFiles | undefined> {
  const { selection, paths, maxBytes } = request
  const walk = source.walk({ ...selection.walk, from: undefined })
  const leaves: Buffer[] = []
  const counts = { bytes: 0, skippedLarge: 0, unreadable: 0 }
  let selected = 0
  try {
    while (selected < selection.maxFiles && walk.next()) {
      const { path } = walk
      if (selection.excluded?.matches(path) === true || paths?.matches(path) === false) continue
      selected++
      const content =
        walk.read === undefined
          ? readContent(walk.open(), maxBytes, searchedMs - clockLagMs)
          : contentOf(walk.read(), maxBytes)
      if (content === 'changed') return undefined
      if (content === 'large') counts.skippedLarge++
      else if (content === undefined) counts.unreadable++
      else {
        counts.bytes += content.bytes
        leaves.push(leafOf(path, content.digest))
      }
      yield
    }
    const { excluded } = walk
    // Denied files were counted as unreadable too.
    counts.unreadable -= excluded.denied
    return { files: leaves.length, root: merkleRoot(Buffer.concat(leaves)), excluded, ...counts }
  } finally {
    walk.close()
  }
}

interface Content {
  digest: Buffer
  bytes: number
}

function contentOf(bytes: Buffer | undefined, maxBytes: number): Content | 'large' | undefined {
  if (bytes === undefined) return undefined
  return bytes.length > maxBytes ? 'large' : { digest: sha256Of(bytes), bytes: bytes.length }
}

function readContent(
  fd: number,
  maxBytes: number,
  unchangedSinceMs: number,
): Content | 'large' | 'changed' | undefined {
  if (fd === -1) return undefined
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) return undefined
    const digest = stats.size > maxBytes ? 'large' : (digestOfFile(fd, maxBytes) ?? 'large')
    // After the digest, so that a change while the file was read counts, too.
    return fstatSync(fd).ctimeMs > unchangedSinceMs ? 'changed' : digest
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
