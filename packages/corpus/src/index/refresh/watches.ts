// Hears of changes folder by folder. The system queues an event inside the call that changes something, so a
// turn of the event loop later everything that was done before is known here. A queue that overflows says
// nothing, but then as many events as it holds come at once: they are counted.
import { readFileSync, watch } from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import type { Folder } from '../folder.ts'

export interface Heard {
  /** Names that something happened to: true when one came, went or was replaced. */
  names: Map<Folder, Map<string, boolean>>
  /** Folders of which it is not known what happened. */
  folders: Set<Folder>
  /** Events may have been lost. */
  overflowed: boolean
}

export interface FolderWatches {
  /** False once the system refused a watch: then everything has to be looked at again. */
  readonly works: boolean
  /** How many folders are watched. */
  readonly count: number
  /** Begins to watch; `path` leads to the folder. Throws when it is not there any more. */
  add(folder: Folder, path: string | Buffer): void
  remove(folder: Folder): void
  /** There are changes that nobody tells of. */
  giveUp(): void
  /** What was heard since the last time. */
  take(): Heard
  close(): void
}

const usualQueue = 16_384

export function createWatches(mostAtOnce: number = queueLimit()): FolderWatches {
  const watched = new Set<Folder>()
  let works = process.platform === 'linux'
  let heard = nothingHeard()
  let inTurn = 0
  const onEvent = (folder: Folder, name: string | null, renamed: boolean): void => {
    if (inTurn++ === 0) setImmediate(() => (inTurn = 0))
    if (inTurn >= mostAtOnce) heard.overflowed = true
    // A name that text cannot hold says only that something happened.
    if (name === null || name.includes('\ufffd')) heard.folders.add(folder)
    else note(heard, folder, name, renamed)
  }
  const close = (): void => {
    for (const folder of watched) unwatch(folder)
    watched.clear()
  }
  const giveUp = (): void => {
    works = false
    close()
  }
  return {
    get works() {
      return works
    },
    get count() {
      return watched.size
    },
    add(folder, path) {
      if (!works) return
      try {
        const watcher = watch(path, { persistent: false }, (type, name) =>
          onEvent(folder, name, type === 'rename'),
        )
        watcher.on('error', giveUp)
        folder.watch = watcher
        watched.add(folder)
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') throw error
        giveUp()
      }
    },
    remove(folder) {
      if (watched.delete(folder)) unwatch(folder)
    },
    giveUp,
    take() {
      const taken = heard
      heard = nothingHeard()
      return taken
    },
    close,
  }
}

function nothingHeard(): Heard {
  return { names: new Map(), folders: new Set(), overflowed: false }
}

function note(heard: Heard, folder: Folder, name: string, renamed: boolean): void {
  let names = heard.names.get(folder)
  if (names === undefined) heard.names.set(folder, (names = new Map()))
  names.set(name, renamed || names.get(name) === true)
}

function unwatch(folder: Folder): void {
  folder.watch?.close()
  folder.watch = undefined
}

/** Three quarters of what the system queues at most. */
function queueLimit(): number {
  let limit = usualQueue
  try {
    limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || limit
  } catch {
    // Then the usual number holds.
  }
  return Math.floor((limit * 3) / 4)
}
