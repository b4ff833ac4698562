// The states that a power loss may leave, in three models of file systems.
//
// Strict POSIX: only a sync makes the data of its file, or the entries of its folder, durable. Every other
// change is on the disk or not, whatever its order; a write may be there by half.
// Ordered metadata (ext4): changes reach the disk in their order, and every sync commits all before it.
// Zeroed data (XFS, ext4 with delayed allocation): as ordered, but data without its own sync reads as zeros.
import path from 'node:path'
import type { Random } from '../../long/random.ts'
import type { Change } from '../files/changes.ts'
import type { Disk, DiskEvent, Extent } from './disk.ts'

export type PowerModel = 'strict POSIX' | 'ordered metadata' | 'zeroed data'
export const powerModels: readonly PowerModel[] = [
  'strict POSIX',
  'ordered metadata',
  'zeroed data',
]

export interface CrashState {
  model: PowerModel
  /** Number of events before the crash. */
  at: number
  disk: Disk
}

/** Random subsets of the changes that are not durable, per crash in the strict model. */
const subsets = 3

/** Adds identities and folders to the logged changes. */
export function eventsOf(
  changes: readonly Change[],
  before: Disk,
  known: ReadonlyMap<number, string>,
): DiskEvent[] {
  const identities = new Map(known)
  const disk = before.copy()
  let count = 0
  return changes.map((change) => {
    const event: DiskEvent = { change, inode: '', folders: [] }
    if (change.change === 'make') identities.set(change.inode, `made:${(count += 1)}`)
    if ('inode' in change) event.inode = identities.get(change.inode) ?? `unknown:${change.inode}`
    else if ('path' in change) event.inode = disk.inodeAt(change.path) ?? 'none'
    if ('path' in change && change.change !== 'link') event.folders.push(path.dirname(change.path))
    if ('to' in change) event.folders.push(path.dirname(change.to))
    event.folders = event.folders.map((folder) => disk.inodeAt(folder) ?? folder)
    disk.apply(event)
    return event
  })
}

/** Every distinct state, for a crash after each event. */
export function* crashStates(
  before: Disk,
  events: readonly DiskEvent[],
  random: Random,
): Generator<CrashState> {
  const seen = new Set<string>()
  for (let at = 0; at <= events.length; at += 1) {
    const past = events.slice(0, at)
    for (const [model, disk] of [
      ...strictStates(before, past, random),
      ...orderedStates(before, past),
    ]) {
      const key = `${at === events.length ? 'end' : acknowledgements(past)}:${model}:${disk.hash()}`
      if (seen.has(key)) continue
      seen.add(key)
      yield { model, at, disk }
    }
  }
}

/** A state after an acknowledgement must keep more than the same state before it. */
function acknowledgements(events: readonly DiskEvent[]): number {
  return events.filter(
    ({ change }) => change.change === 'acknowledged' || change.change === 'start',
  ).length
}

function* strictStates(
  before: Disk,
  events: readonly DiskEvent[],
  random: Random,
): Generator<[PowerModel, Disk]> {
  const durable = events.map((event, index) => isDurable(event, events.slice(index + 1)))
  const choices: ((index: number) => Extent | undefined)[] = [
    () => undefined,
    () => 'all',
    ...Array.from({ length: subsets }, () => () => random.of([undefined, 'all', 'half'] as const)),
  ]
  for (const choose of choices) {
    const disk = before.copy()
    for (const [index, event] of events.entries()) {
      const extent = durable[index] === true ? 'all' : choose(index)
      if (extent !== undefined) disk.apply(event, extent)
    }
    yield ['strict POSIX', disk]
  }
}

function isDurable({ change, inode, folders }: DiskEvent, later: readonly DiskEvent[]): boolean {
  const synced = (id: string) =>
    later.some((each) => each.change.change === 'sync' && each.inode === id)
  return change.change === 'write' || change.change === 'resize'
    ? synced(inode)
    : folders.every(synced)
}

function* orderedStates(before: Disk, events: readonly DiskEvent[]): Generator<[PowerModel, Disk]> {
  const committed = events.findLastIndex(({ change }) => change.change === 'sync')
  for (let end = Math.max(committed, 0); end <= events.length; end += 1) {
    const [ordered, zeroed] = [before.copy(), before.copy()]
    for (const [index, event] of events.slice(0, end).entries()) {
      ordered.apply(event)
      const hasOwnSync =
        event.change.change !== 'write' || isDurable(event, events.slice(index + 1))
      zeroed.apply(event, hasOwnSync ? 'all' : 'zeros')
    }
    yield ['ordered metadata', ordered]
    yield ['zeroed data', zeroed]
  }
}
