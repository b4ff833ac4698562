// Reads every file of a data folder and names those that are damaged, without mem.
import { promises, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { parseList, scanList } from './storage/storage.ts'

export interface IntegrityReport {
  files: number
  elements: number
  /** Files that hold no list, with the reason. */
  damaged: string[]
  /** Copies of damaged files that mem has put aside. */
  aside: string[]
}

/** A running mem changes files in place: what looks damaged may be a write in progress. */
const attempts = 3
const pauseMs = 100

export async function checkMemoryFiles(folder: string): Promise<IntegrityReport> {
  const report: IntegrityReport = { files: 0, elements: 0, damaged: [], aside: [] }
  const names = [
    ...namesIn(folder),
    ...namesIn(path.join(folder, 'channels')).map((name) => path.join('channels', name)),
  ]
  for (const name of names) {
    if (/\.damaged-\d+$/.test(name)) report.aside.push(name)
    if (!isList(name)) continue
    report.files += 1
    const counted = await countElements(path.join(folder, name))
    if (typeof counted === 'number') report.elements += counted
    else report.damaged.push(`${name} (${counted.reason})`)
  }
  return report
}

function isList(name: string): boolean {
  return name === 'hard_memories.json' || /^channels\/[^.].*\.json$/.test(name)
}

async function countElements(file: string): Promise<number | { reason: string }> {
  for (let attempt = 1; ; attempt += 1) {
    const counted = await countOnce(file)
    if (typeof counted === 'number' || attempt === attempts) return counted
    await pause(pauseMs)
  }
}

async function countOnce(file: string): Promise<number | { reason: string }> {
  try {
    const handle = await promises.open(file, 'r')
    try {
      let count = 0
      const end = await scanList(handle, ({ elements }) => (count += elements.length))
      if (end !== undefined) return count
      // Another program may have written the list in another form.
      const list = parseList(await promises.readFile(file))
      return list?.length ?? { reason: 'it holds no list of messages' }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0
    return { reason: reasonOf(error) }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
