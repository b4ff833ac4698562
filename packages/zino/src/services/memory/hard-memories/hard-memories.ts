// Hard memories: stored, found by their words, forgotten. The file is the truth; the index is made
// from it after the start and again when somebody else has changed the file.
import { closeSync, openSync, statSync } from 'node:fs'
import { fileError, reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { requestError } from '../../../fields/fields.ts'
import type { Found, RankingName } from '../search/search.ts'
import { searchDistinct } from '../search/search.ts'
import type { ListStore } from '../storage/storage.ts'
import { elementText, FileQueues, readBytes } from '../storage/storage.ts'
import type { HardMemory } from './entry.ts'
import { forgottenEntry, memoryOf } from './entry.ts'
import type { LoadedMemories } from './load.ts'
import { hardMemoryFile, loadHardMemories } from './load.ts'

export interface HardMemoryOptions {
  lists: ListStore
  ranking: RankingName
  log: Logger
}

export interface StoredMemory extends HardMemory {
  id: number
}

export interface FoundMemory extends StoredMemory, Found {}

export interface HardMemoryStats {
  memories: number
  forgotten: number
  bytes: number
  indexBytes: number
  /** Memories that some search has returned since the start. */
  found: number
}

/** Results of one search at most. */
export const mostResults = 10_000

export class HardMemories {
  readonly #lists: ListStore
  readonly #rankingName: RankingName
  readonly #log: Logger
  readonly #lines = new FileQueues()
  #loaded: LoadedMemories | undefined
  #loading: Promise<LoadedMemories> | undefined
  /** Writes of our own that are under way: the file may differ from what is known just then. */
  #writing = 0
  /** Why preparing failed, until somebody was told. */
  #untold: unknown

  constructor({ lists, ranking, log }: HardMemoryOptions) {
    this.#lists = lists
    this.#rankingName = ranking
    this.#log = log
  }

  /** Builds the index before somebody asks; a failure is told to the first who does. */
  prepare(): void {
    this.#load().catch((error: unknown) => {
      this.#untold = error
    })
  }

  /** Resolves to the id; with `dedupe`, to that of the same memory when it is there already. */
  async store(memory: HardMemory, dedupe: boolean): Promise<{ id: number; isNew: boolean }> {
    if (!dedupe) return { id: await this.#add(memory), isNew: true }
    return this.#lines.run('dedupe', async () => {
      const copy = await this.#findCopy(memory)
      return copy === -1 ? { id: await this.#add(memory), isNew: true } : { id: copy, isNew: false }
    })
  }

  async forget(id: number): Promise<void> {
    const { places, index, ranking } = await this.#fresh()
    if (!places.has(id)) throw requestError(`there is no hard memory ${id}`)
    const start = places.startOf(id)
    await this.#write(() =>
      this.#lists.patch(hardMemoryFile, start, forgottenEntry(places.endOf(id) - start)),
    )
    if (!places.has(id)) return
    places.forget(id)
    index.forget(id)
    ranking.forgotten?.(id)
  }

  async search(query: string, wanted: number, distinct: boolean): Promise<FoundMemory[]> {
    const loaded = await this.#fresh()
    const { index, ranking, places } = loaded
    const most = Math.min(wanted, mostResults)
    const found = distinct
      ? searchDistinct(index, ranking, query, most)
      : ranking.search(query, most)
    if (found.length === 0) return []
    for (const { id } of found) places.markFound(id)
    const memories = this.#read(
      loaded,
      found.map(({ id }) => id),
    )
    return found.map((result, at) => ({ ...(memories[at] as HardMemory), ...result }))
  }

  /** Memories with ids above `after`, in their order. */
  async list(after: number, limit: number): Promise<{ memories: StoredMemory[]; total: number }> {
    const loaded = await this.#fresh()
    const { places } = loaded
    const ids: number[] = []
    for (let id = Math.max(0, after + 1); id < places.count && ids.length < limit; id += 1) {
      if (places.has(id)) ids.push(id)
    }
    const memories = this.#read(loaded, ids).map((memory, at) => ({
      id: ids[at] as number,
      ...memory,
    }))
    return { memories, total: places.count - places.forgottenCount }
  }

  async stats(): Promise<HardMemoryStats> {
    const { places, index } = await this.#fresh()
    return {
      memories: places.count - places.forgottenCount,
      forgotten: places.forgottenCount,
      bytes: this.#stat()?.size ?? 0,
      indexBytes: index.memoryBytes,
      found: places.foundCount,
    }
  }

  /** What is known, after making sure that the file is still the one it was made from. */
  async #fresh(): Promise<LoadedMemories> {
    if (this.#loaded === undefined) return this.#firstLoad()
    if (this.#writing > 0 || this.#isUnchanged(this.#loaded)) return this.#loaded
    this.#log.info(`${hardMemoryFile} was changed by others: reading it again`)
    return this.#reload()
  }

  async #firstLoad(): Promise<LoadedMemories> {
    const untold = this.#untold
    this.#untold = undefined
    if (untold !== undefined) throw untold
    try {
      return await this.#load()
    } finally {
      this.#untold = undefined
    }
  }

  #reload(): Promise<LoadedMemories> {
    this.#loaded = undefined
    return this.#load()
  }

  #load(): Promise<LoadedMemories> {
    this.#loading ??= this.#loadNow().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #loadNow(): Promise<LoadedMemories> {
    try {
      const loaded = await loadHardMemories(this.#lists, this.#rankingName)
      this.#loaded = loaded
      const { places, index } = loaded
      this.#log.info(`${places.count} hard memories, ${index.memoryBytes} bytes of index`)
      return loaded
    } catch (error) {
      this.#log.error(`hard memories: ${reasonOf(error)}`)
      throw error
    }
  }

  #isUnchanged({ places }: LoadedMemories): boolean {
    const stats = this.#stat()
    if (stats === undefined) return places.count === 0
    return this.#lists.known.has(hardMemoryFile, stats)
  }

  #stat() {
    return statSync(this.#lists.pathOf(hardMemoryFile), { throwIfNoEntry: false })
  }

  async #add({ messages, tag }: HardMemory): Promise<number> {
    await this.#fresh()
    const text = elementText({ messages, tag })
    const [start = 0] = await this.#write(() => this.#lists.append(hardMemoryFile, [text]))
    const { places, index, ranking } = this.#loaded ?? (await this.#load())
    // Another start than expected: the file was changed under our hands, and what is known is void.
    if (start !== places.nextStart) return this.#idAfterReload(start)
    const texts = messages.map(({ content }) => content)
    places.add(start, false)
    places.endAt(start + Buffer.byteLength(text))
    const id = index.add(texts, tag)
    ranking.added?.(id)
    return id
  }

  async #idAfterReload(start: number): Promise<number> {
    const { places } = await this.#reload()
    return places.idAt(start)
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#writing += 1
    try {
      return await work()
    } finally {
      this.#writing -= 1
    }
  }

  async #findCopy({ messages, tag }: HardMemory): Promise<number> {
    const loaded = await this.#fresh()
    const wanted = JSON.stringify({ messages, tag })
    const texts = messages.map(({ content }) => content)
    const likely = loaded.index.sameWords(texts, tag)
    const memories = this.#read(loaded, likely)
    const at = memories.findIndex((memory) => JSON.stringify(memory) === wanted)
    return at === -1 ? -1 : (likely[at] as number)
  }

  #read({ places }: LoadedMemories, ids: readonly number[]): HardMemory[] {
    if (ids.length === 0) return []
    const path = this.#lists.pathOf(hardMemoryFile)
    let descriptor: number
    try {
      descriptor = openSync(path, 'r')
    } catch (error) {
      throw fileError('read', path, error)
    }
    try {
      return ids.map((id) => {
        const bytes = readBytes(descriptor, places.startOf(id), places.endOf(id))
        return memoryOf(JSON.parse(bytes.toString('utf8')) as object) ?? { messages: [], tag: '' }
      })
    } catch (error) {
      throw fileError('read', path, error)
    } finally {
      closeSync(descriptor)
    }
  }
}
