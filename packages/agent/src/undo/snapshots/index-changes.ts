// Compares two indexes of git without a string per entry: which tracked files were touched in between.
import { entryCount, headerBytes } from './index-file.ts'
import type { RawPath } from './raw-path.ts'

/**
 * Paths that only one index has, or whose blob, mode or stored stats differ. Undefined for formats other than
 * versions 2 and 3 with SHA-1.
 */
export function changedEntries(before: Buffer, after: Buffer): Set<RawPath> | undefined {
  const [first, second] = [openEntries(before), openEntries(after)]
  if (first === undefined || second === undefined) return undefined
  const paths = new Set<RawPath>()
  if (before.equals(after)) return paths
  while (!first.isEnd || !second.isEnd) {
    const order = compareEntries(first, second)
    if (order === 0 && !equalEntries(first, second)) paths.add(pathOf(first))
    if (order < 0) paths.add(pathOf(first))
    if (order > 0) paths.add(pathOf(second))
    if (order <= 0) advance(first)
    if (order >= 0) advance(second)
  }
  return paths
}

/**
 * Paths whose stored change time is at or after this second. Git compares whole seconds, so it does not notice
 * another change of their mode within the same second.
 */
export function recentEntries(index: Buffer, second: number): RawPath[] {
  const paths: RawPath[] = []
  const entry = openEntries(index)
  if (entry === undefined) return paths
  for (; !entry.isEnd; advance(entry)) {
    if (index.readUInt32BE(entry.at) >= second) paths.push(pathOf(entry))
  }
  return paths
}

/** An entry of an index. The entries are ordered by the bytes of their paths, then by stage. */
interface EntryCursor {
  index: Buffer
  at: number
  start: number
  end: number
  /** Entries from this one to the last. */
  left: number
  isEnd: boolean
}

function openEntries(index: Buffer): EntryCursor | undefined {
  const left = entryCount(index)
  if (left === undefined) return undefined
  const entry = { index, at: 12, start: 0, end: 0, left, isEnd: false }
  place(entry)
  return entry
}

function advance(entry: EntryCursor): void {
  entry.at += (entry.end - entry.at + 8) & ~7
  entry.left--
  place(entry)
}

function place(entry: EntryCursor): void {
  const { index, at, left } = entry
  entry.isEnd = left <= 0 || at + headerBytes >= index.length
  if (entry.isEnd) return
  const flags = flagsOf(entry)
  const length = flags & 0xfff
  entry.start = at + headerBytes + (flags & 0x4000 ? 2 : 0)
  // The flags hold lengths below 0xfff.
  entry.end = length < 0xfff ? entry.start + length : index.indexOf(0, entry.start)
  entry.isEnd = entry.end === -1
}

function flagsOf({ index, at }: EntryCursor): number {
  return index.readUInt16BE(at + flagsOffset)
}

const flagsOffset = 60

function pathOf({ index, start, end }: EntryCursor): RawPath {
  return index.toString('latin1', start, end)
}

function compareEntries(first: EntryCursor, second: EntryCursor): number {
  if (first.isEnd) return 1
  if (second.isEnd) return -1
  return (
    first.index.compare(second.index, second.start, second.end, first.start, first.end) ||
    stageOf(first) - stageOf(second)
  )
}

function stageOf(entry: EntryCursor): number {
  return flagsOf(entry) & 0x3000
}

/** Stats, mode and blob are the bytes before the flags. */
function equalEntries(first: EntryCursor, second: EntryCursor): boolean {
  const [one, other] = [first.at, second.at]
  return first.index.compare(second.index, other, other + flagsOffset, one, one + flagsOffset) === 0
}
