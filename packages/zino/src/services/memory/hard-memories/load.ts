// Loads the offsets and the index of the hard memories from their file, in slices, so that mem answers
// other requests concurrently.
import { promises } from 'node:fs'
import { errnoOf, fileError } from '@zee/core/errors'
import type { Ranking, RankingName } from '../search/search.ts'
import { MemoryIndex, createRanking } from '../search/search.ts'
import type { ListStore } from '../storage/storage.ts'
import { parseList, scanList } from '../storage/storage.ts'
import { parseEntry } from './entry.ts'
import { HardMemoryOffsets } from './offsets.ts'

export interface LoadedMemories {
  offsets: HardMemoryOffsets
  index: MemoryIndex
  ranking: Ranking
}

export const hardMemoryFile = 'hard_memories.json'

/** Throws when the file is damaged. The file is moved aside, and the next load starts empty. */
export async function loadHardMemories(
  lists: ListStore,
  rankingName: RankingName,
): Promise<LoadedMemories> {
  const loaded = await tryLoad(lists, rankingName)
  if (loaded !== undefined) return loaded
  // The file was written by another program in another form, or is not a list.
  const list = parseList(await promises.readFile(lists.pathOf(hardMemoryFile)))
  if (list === undefined) return lists.refuse(hardMemoryFile)
  if (list.length === 0) await lists.remove(hardMemoryFile)
  else await lists.rewrite(hardMemoryFile, list)
  return (await tryLoad(lists, rankingName)) ?? lists.refuse(hardMemoryFile)
}

/** Undefined when the file is not in the form that mem writes. */
async function tryLoad(
  lists: ListStore,
  rankingName: RankingName,
): Promise<LoadedMemories | undefined> {
  const loaded = emptyMemories(rankingName)
  const file = await openIfExists(lists.pathOf(hardMemoryFile))
  if (file === undefined) {
    lists.identities.forget(hardMemoryFile)
    return loaded
  }
  try {
    const stats = await file.stat()
    const end = await scanList(file, ({ elements, starts }) => {
      for (const [position, element] of elements.entries()) {
        addElement(loaded, element, starts[position] as number)
      }
    })
    if (end === undefined) return undefined
    loaded.offsets.setEnd(end)
    loaded.offsets.fillTimes(stats.mtimeMs)
    lists.identities.add(hardMemoryFile, stats)
    return loaded
  } finally {
    await file.close()
  }
}

function emptyMemories(rankingName: RankingName): LoadedMemories {
  const index = new MemoryIndex({ stems: rankingName === 'recall' })
  return { offsets: new HardMemoryOffsets(), index, ranking: createRanking(rankingName, index) }
}

function addElement(
  { offsets, index, ranking }: LoadedMemories,
  element: object,
  start: number,
): void {
  const memory = parseEntry(element)
  offsets.add(start, memory === undefined, Date.parse(memory?.ts ?? ''), memory?.replaces)
  const texts = memory?.messages.map(({ content }) => content) ?? []
  const id = index.add(texts, memory?.tag ?? '')
  ranking.onAdded?.(id)
}

async function openIfExists(path: string): Promise<promises.FileHandle | undefined> {
  try {
    return await promises.open(path, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('open', path, error)
  }
}
