// Builds everything that is known about the hard memories from their file, in slices, so that the
// service answers other requests meanwhile.
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

/** Throws when the file is damaged; it is put aside then, and the next attempt starts anew. */
export async function loadHardMemories(
  lists: ListStore,
  rankingName: RankingName,
): Promise<LoadedMemories> {
  const loaded = await tryLoad(lists, rankingName)
  if (loaded !== undefined) return loaded
  // Written by others in another form, or no list at all.
  const list = parseList(await promises.readFile(lists.pathOf(hardMemoryFile)))
  if (list === undefined) return lists.refuse(hardMemoryFile)
  if (list.length === 0) await lists.remove(hardMemoryFile)
  else await lists.rewrite(hardMemoryFile, list)
  return (await tryLoad(lists, rankingName)) ?? lists.refuse(hardMemoryFile)
}

/** Undefined when the file is not in our form. */
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
      for (const [at, element] of elements.entries()) {
        addElement(loaded, element, starts[at] as number)
      }
    })
    if (end === undefined) return undefined
    loaded.offsets.setEnd(end)
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
  offsets.add(start, memory === undefined)
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
