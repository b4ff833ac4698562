// Builds everything that is known about the hard memories from their file, in slices, so that the
// service answers other requests meanwhile.
import { promises } from 'node:fs'
import { errnoOf, fileError } from '@zee/core/errors'
import type { Ranking, RankingName } from '../search/search.ts'
import { MemoryIndex, rankingOf } from '../search/search.ts'
import type { ListStore } from '../storage/storage.ts'
import { parseList, scanList } from '../storage/storage.ts'
import { memoryOf } from './entry.ts'
import { HardMemoryPlaces } from './places.ts'

export interface LoadedMemories {
  places: HardMemoryPlaces
  index: MemoryIndex
  ranking: Ranking
}

export const hardMemoryFile = 'hard_memories.json'

/** Throws when the file is damaged; it is put aside then, and the next attempt starts anew. */
export async function loadHardMemories(
  lists: ListStore,
  rankingName: RankingName,
): Promise<LoadedMemories> {
  const loaded = await attempt(lists, rankingName)
  if (loaded !== undefined) return loaded
  // Written by others in another form, or no list at all.
  const list = parseList(await promises.readFile(lists.pathOf(hardMemoryFile)))
  if (list === undefined) return lists.refuse(hardMemoryFile)
  if (list.length === 0) await lists.remove(hardMemoryFile)
  else await lists.rewrite(hardMemoryFile, list)
  return (await attempt(lists, rankingName)) ?? lists.refuse(hardMemoryFile)
}

/** Undefined when the file is not in our form. */
async function attempt(
  lists: ListStore,
  rankingName: RankingName,
): Promise<LoadedMemories | undefined> {
  const loaded = emptyMemories(rankingName)
  const file = await openIfThere(lists.pathOf(hardMemoryFile))
  if (file === undefined) {
    lists.known.forget(hardMemoryFile)
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
    loaded.places.endAt(end)
    lists.known.add(hardMemoryFile, stats)
    return loaded
  } finally {
    await file.close()
  }
}

function emptyMemories(rankingName: RankingName): LoadedMemories {
  const index = new MemoryIndex({ stems: rankingName === 'recall' })
  return { places: new HardMemoryPlaces(), index, ranking: rankingOf(rankingName, index) }
}

function addElement(
  { places, index, ranking }: LoadedMemories,
  element: object,
  start: number,
): void {
  const memory = memoryOf(element)
  places.add(start, memory === undefined)
  const texts = memory?.messages.map(({ content }) => content) ?? []
  const id = index.add(texts, memory?.tag ?? '')
  ranking.added?.(id)
}

async function openIfThere(path: string): Promise<promises.FileHandle | undefined> {
  try {
    return await promises.open(path, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('open', path, error)
  }
}
