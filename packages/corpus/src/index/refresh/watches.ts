// Watches folders with inotify. The kernel queues an event within the system call that makes the change, so one
// turn of the event loop later all earlier changes are reported. Node hides queue overflows; they are inferred
// from the number of events per turn.
import { readFileSync, watch } from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import type { Folder } from '../folder.ts'

export interface FolderEvents {
  /** Changed names; true if the name was added, removed or replaced. */
  names: Map<Folder, Map<string, boolean>>
  /** Folders with a change of unknown name. */
  folders: Set<Folder>
  /** Events may have been lost. */
  overflowed: boolean
}

export interface FolderWatches {
  /** False after the system refused a watch; then every refresh must sweep. */
  readonly isReliable: boolean
  /** Number of watched folders. */
  readonly count: number
  /** Starts to watch a folder. Throws if `path` does not exist. */
  add(folder: Folder, path: string | Buffer): void
  remove(folder: Folder): void
  /** Stops all watches, because some changes are not reported. */
  disable(): void
  /** Returns and clears the events since the last call. */
  takeEvents(): FolderEvents
  close(): void
}

const defaultQueue = 16_384

export function createWatches(maxEventsPerTurn: number = queueLimit()): FolderWatches {
  const watched = new Set<Folder>()
  let isReliable = process.platform === 'linux'
  let events = noEvents()
  let eventsInTurn = 0
  const onEvent = (folder: Folder, name: string | null, renamed: boolean): void => {
    if (eventsInTurn++ === 0) setImmediate(() => (eventsInTurn = 0))
    if (eventsInTurn >= maxEventsPerTurn) events.overflowed = true
    // A name that is not valid UTF-8 cannot be identified.
    if (name === null || name.includes('\ufffd')) events.folders.add(folder)
    else addEvent(events, folder, name, renamed)
  }
  const close = (): void => {
    for (const folder of watched) unwatch(folder)
    watched.clear()
  }
  const disable = (): void => {
    isReliable = false
    close()
  }
  return {
    get isReliable() {
      return isReliable
    },
    get count() {
      return watched.size
    },
    add(folder, path) {
      if (!isReliable) return
      try {
        const watcher = watch(path, { persistent: false }, (type, name) =>
          onEvent(folder, name, type === 'rename'),
        )
        watcher.on('error', disable)
        folder.watch = watcher
        watched.add(folder)
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') throw error
        disable()
      }
    },
    remove(folder) {
      if (watched.delete(folder)) unwatch(folder)
    },
    disable,
    takeEvents() {
      const taken = events
      events = noEvents()
      return taken
    },
    close,
  }
}

function noEvents(): FolderEvents {
  return { names: new Map(), folders: new Set(), overflowed: false }
}

function addEvent(events: FolderEvents, folder: Folder, name: string, renamed: boolean): void {
  let names = events.names.get(folder)
  if (names === undefined) events.names.set(folder, (names = new Map()))
  names.set(name, renamed || names.get(name) === true)
}

function unwatch(folder: Folder): void {
  folder.watch?.close()
  folder.watch = undefined
}

/** Three quarters of the length of the inotify queue. */
function queueLimit(): number {
  let limit = defaultQueue
  try {
    limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || limit
  } catch {
    // Keep the default.
  }
  return Math.floor((limit * 3) / 4)
}
