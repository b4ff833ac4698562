// Finds a named pipe where git reads a file. Git waits there for a writer, without an end.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Files of a work tree that git reads by their names, in every folder. */
const readNames: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules'])

/** Longer than most calls of git; after each search without a result the wait doubles. */
const firstWaitMs = 1000

export interface ReadFolder {
  folder: string
  /** A git folder, in which git may read every file. */
  isGit: boolean
}

interface PipeWatch {
  /** Aborts when a pipe is found. */
  signal: AbortSignal
  pipe(): string | undefined
  stop(): void
}

/** Searches the folders again and again until it is stopped; a fast call of git pays for a timer only. */
export function watchForPipe(folders: readonly ReadFolder[]): PipeWatch {
  const found = new AbortController()
  const stopped = new AbortController()
  let pipe: string | undefined
  let timer: NodeJS.Timeout
  const searchAfter = (waitMs: number): void => {
    timer = setTimeout(() => {
      void findNamedPipe(folders, stopped.signal).then((file) => {
        if (stopped.signal.aborted) return
        pipe = file
        if (file === undefined) searchAfter(waitMs * 2)
        else found.abort()
      })
    }, waitMs)
  }
  searchAfter(firstWaitMs)
  const stop = (): void => {
    stopped.abort()
    clearTimeout(timer)
  }
  return { signal: found.signal, pipe: () => pipe, stop }
}

/** The first pipe in a git folder, or with the name of a file that git reads; breadth first. */
async function findNamedPipe(
  folders: readonly ReadFolder[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const queue = [...folders]
  for (let at = queue.shift(); at !== undefined && !signal.aborted; at = queue.shift()) {
    const { folder, isGit } = at
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(folder, entry.name)
      const isGitPart = isGit || entry.name === '.git'
      if (entry.isDirectory()) queue.push({ folder: file, isGit: isGitPart })
      else if ((isGitPart || readNames.has(entry.name)) && (await isPipe(file, entry))) return file
    }
  }
  return undefined
}

async function isPipe(
  file: string,
  entry: { isFIFO(): boolean; isSymbolicLink(): boolean },
): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFIFO()
  const target = await stat(file).catch(() => undefined)
  return target?.isFIFO() === true
}
