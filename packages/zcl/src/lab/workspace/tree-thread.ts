// Copies and removes trees, in the event loop or in a thread. The worker runs this file as its program.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { copySteps, type TreeCopy } from './copy-tree.ts'
import { removeSteps } from './remove-tree.ts'
import { runAtOnce, runInTurns } from './steps.ts'

export type TreeTask =
  | { kind: 'copy'; source: string; target: string; excluded: readonly string[] }
  | { kind: 'remove'; folder: string }

/** The files of a copy as flat data: a map of objects takes ten times as long to send. */
export interface SentCopy extends Omit<TreeCopy, 'files'> {
  /** Joined with NUL, which no path contains. */
  paths: string
  sizes: Float64Array
  links: readonly (readonly [relative: string, link: string])[]
}

export interface TreeAnswer {
  copy?: SentCopy
  error?: { message: string; code?: string; syscall?: string; path?: string }
}

export const treeThreadRole = 'zcl-trees'
export const treeThreadFile = import.meta.filename

/** Runs a task in the event loop. */
export async function runTreeTask(task: TreeTask): Promise<TreeCopy | undefined> {
  if (task.kind === 'copy') {
    return runInTurns(copySteps(task.source, task.target, task.excluded))
  }
  await runInTurns(removeSteps(task.folder))
  return undefined
}

function answerTo(task: TreeTask): TreeAnswer {
  try {
    if (task.kind === 'copy') {
      return { copy: sentCopy(runAtOnce(copySteps(task.source, task.target, task.excluded))) }
    }
    runAtOnce(removeSteps(task.folder))
    return {}
  } catch (error) {
    const { message, code, syscall, path } = error as NodeJS.ErrnoException
    return { error: { message, code, syscall, path } }
  }
}

function sentCopy({ files, ...copy }: TreeCopy): SentCopy {
  const links = [...files].flatMap(([relative, { link }]) =>
    link === undefined ? [] : [[relative, link] as const],
  )
  const sizes = Float64Array.from(files.values(), ({ size }) => size)
  return { ...copy, paths: [...files.keys()].join('\0'), sizes, links }
}

export function receivedCopy({ paths, sizes, links, ...copy }: SentCopy): TreeCopy {
  const relatives = paths === '' ? [] : paths.split('\0')
  const files: TreeCopy['files'] = new Map(
    relatives.map((relative, index) => [relative, { size: sizes[index] ?? 0 }]),
  )
  for (const [relative, link] of links) files.set(relative, { size: 0, link })
  return { ...copy, files }
}

if (!isMainThread && workerData === treeThreadRole) {
  parentPort?.on('message', (task: TreeTask) => parentPort?.postMessage(answerTo(task), []))
  const ready: TreeAnswer = {}
  parentPort?.postMessage(ready, [])
}
