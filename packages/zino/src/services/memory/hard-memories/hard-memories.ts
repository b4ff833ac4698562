// Stores, searches and forgets hard memories. The file is the source of truth: the index is built from
// it at start, and rebuilt when another program has changed the file.
import { closeSync, openSync, statSync } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import { fileError, reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { requestError } from '../../../fields/fields.ts'
import type { SearchHit, RankingName } from '../search/search.ts'
import { searchDistinct } from '../search/search.ts'
import type { ListStore } from '../storage/storage.ts'
import { elementText, FileQueues, readBytes } from '../storage/storage.ts'
import type { HardMemory } from './entry.ts'
import { forgottenEntry, parseEntry } from './entry.ts'
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

export interface FoundMemory extends StoredMemory, SearchHit {}

export interface HardMemoryStats {
  memories: number
  forgotten: number
  bytes: number
  indexBytes: number
  /** Number of memories that a search has returned since the start. */
  found: number
}

export interface HardFilter {
  /** Drops near-duplicates. */
  distinct?: boolean | undefined
  sinceMs?: number | undefined
  untilMs?: number | undefined
  /** Answers as of this time. */
  atMs?: number | undefined
}

/** Bytes of the memories in one list: an answer must fit into a frame. */
const maxPageBytes = 16 * 1024 * 1024
/** Maximum number of results of one search. */
export const maxResults = 10_000

export class HardMemories {
  readonly #lists: ListStore
  readonly #rankingName: RankingName
  readonly #log: Logger
  readonly #queues = new FileQueues()
  #loaded: LoadedMemories | undefined
  #loading: Promise<LoadedMemories> | undefined
  /** Number of own writes in progress; the file may differ from the index during them. */
  #writeCount = 0
  /** Error of the preload, until the first request has reported it. */
  #unreportedError: unknown

  constructor({ lists, ranking, log }: HardMemoryOptions) {
    this.#lists = lists
    this.#rankingName = ranking
    this.#log = log
  }

  /** Builds the index before the first request, which reports a failure. */
  preload(): void {
    this.#load().catch((error: unknown) => {
      this.#unreportedError = error
    })
  }

  /** Resolves to the id; with `dedupe`, an identical memory is not stored again. */
  async store(memory: HardMemory, dedupe: boolean): Promise<{ id: number; isNew: boolean }> {
    if (!dedupe) return { id: await this.#add(memory), isNew: true }
    return this.#queues.run('dedupe', async () => {
      const copy = await this.#findCopy(memory)
      return copy === -1 ? { id: await this.#add(memory), isNew: true } : { id: copy, isNew: false }
    })
  }

  async forget(id: number): Promise<void> {
    const { offsets, index, ranking } = await this.#current()
    if (!offsets.has(id)) throw requestError(`there is no hard memory ${id}`)
    const start = offsets.startOf(id)
    await this.#write(() =>
      this.#lists.patch(hardMemoryFile, start, forgottenEntry(offsets.endOf(id) - start)),
    )
    await this.#lists.checkpoint()
    if (!offsets.has(id)) return
    offsets.forget(id)
    index.forget(id)
    ranking.onForgotten?.(id)
  }

  async search(
    query: string,
    topK: number,
    { distinct = false, sinceMs, untilMs, atMs }: HardFilter = {},
  ): Promise<FoundMemory[]> {
    const loaded = await this.#current()
    const { index, ranking, offsets } = loaded
    const limit = Math.min(topK, maxResults)
    const accepts = (id: number) => {
      if (!offsets.isCurrent(id, atMs)) return false
      if (sinceMs !== undefined && !(offsets.timeOf(id) >= sinceMs)) return false
      return untilMs === undefined || !(offsets.timeOf(id) > untilMs)
    }
    const found = distinct
      ? searchDistinct(index, ranking, query, limit, accepts)
      : ranking.search(query, limit, accepts)
    if (found.length === 0) return []
    for (const { id } of found) offsets.markFound(id)
    const memories = this.#read(
      loaded,
      found.map(({ id }) => id),
    )
    return found.map((result, position) => ({ ...(memories[position] as HardMemory), ...result }))
  }

  /** Memories with ids above `after`, in id order; fewer than `limit` when they are large. */
  async list(
    after: number,
    limit: number,
    { tag, sinceMs }: { tag?: string | undefined; sinceMs?: number | undefined } = {},
  ): Promise<{ memories: StoredMemory[]; total: number }> {
    const loaded = await this.#current()
    const { offsets } = loaded
    const isWanted = (id: number) =>
      offsets.has(id) &&
      offsets.isCurrent(id) &&
      (sinceMs === undefined || offsets.timeOf(id) >= sinceMs) &&
      (tag === undefined || this.#read(loaded, [id])[0]?.tag === tag)
    const ids: number[] = []
    let bytes = 0
    for (let id = Math.max(0, after + 1); id < offsets.count && ids.length < limit; id += 1) {
      if (!isWanted(id)) continue
      bytes += offsets.endOf(id) - offsets.startOf(id)
      if (ids.length > 0 && bytes > maxPageBytes) break
      ids.push(id)
    }
    const memories = this.#read(loaded, ids).map((memory, position) => ({
      id: ids[position] as number,
      ...memory,
    }))
    return { memories, total: offsets.count - offsets.forgottenCount }
  }

  /** The newest version of a memory; undefined for an id that does not exist or is forgotten. */
  async get(id: number): Promise<StoredMemory | undefined> {
    const loaded = await this.#current()
    if (!loaded.offsets.has(id)) return undefined
    const newest = loaded.offsets.newest(id)
    const [memory] = this.#read(loaded, [newest])
    return memory === undefined ? undefined : { id: newest, ...memory }
  }

  /**
   * Runs `work` with all versions of a memory, newest first. Such work runs one at a time, so that no edit
   * adds a version while another one is made or all of them are forgotten.
   */
  withVersions<Result>(
    id: number,
    work: (versions: readonly StoredMemory[]) => Promise<Result>,
  ): Promise<Result> {
    return this.#queues.run('versions', async () => {
      const loaded = await this.#current()
      const ids = loaded.offsets.versions(id)
      const memories = this.#read(loaded, ids)
      return work(ids.map((version, at) => ({ id: version, ...(memories[at] as HardMemory) })))
    })
  }

  /** Every entry of the file, forgotten ones included. */
  everything(): Promise<object[]> {
    return this.#lists.all(hardMemoryFile)
  }

  /** Replaces the file. */
  async replaceAll(entries: readonly object[]): Promise<void> {
    await this.#current()
    if (entries.length === 0) await this.#lists.remove(hardMemoryFile)
    else await this.#lists.rewrite(hardMemoryFile, entries)
    await this.#reload()
  }

  async stats(): Promise<HardMemoryStats> {
    const { offsets, index } = await this.#current()
    return {
      memories: offsets.count - offsets.forgottenCount,
      forgotten: offsets.forgottenCount,
      bytes: this.#stat()?.size ?? 0,
      indexBytes: index.memoryBytes,
      found: offsets.foundCount,
    }
  }

  /** The loaded memories; reloads them when another program has changed the file. */
  async #current(): Promise<LoadedMemories> {
    if (this.#loaded === undefined) return this.#firstLoad()
    if (this.#writeCount > 0 || this.#isUnchanged(this.#loaded)) return this.#loaded
    this.#log.info(`${hardMemoryFile} was changed by another program: reloading`)
    return this.#reload()
  }

  async #firstLoad(): Promise<LoadedMemories> {
    const error = this.#unreportedError
    this.#unreportedError = undefined
    if (error !== undefined) throw error
    try {
      return await this.#load()
    } finally {
      this.#unreportedError = undefined
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
      const { offsets, index } = loaded
      this.#log.info(`${offsets.count} hard memories, ${index.memoryBytes} bytes of index`)
      return loaded
    } catch (error) {
      this.#log.error(`hard memories: ${reasonOf(error)}`)
      throw error
    }
  }

  #isUnchanged({ offsets }: LoadedMemories): boolean {
    const stats = this.#stat()
    if (stats === undefined) return offsets.count === 0
    return this.#lists.identities.has(hardMemoryFile, stats)
  }

  #stat() {
    return statSync(this.#lists.pathOf(hardMemoryFile), { throwIfNoEntry: false })
  }

  async #add({ messages, tag, ts, replaces }: HardMemory): Promise<number> {
    await this.#current()
    const text = elementText({ messages, tag, ts, replaces })
    const [start = 0] = await this.#write(() => this.#lists.append(hardMemoryFile, [text]))
    const { offsets, index, ranking } = this.#loaded ?? (await this.#load())
    // An unexpected offset means that another program changed the file: the index is stale.
    if (start !== offsets.nextStart) return this.#idAfterReload(start)
    const texts = messages.map(({ content }) => content)
    offsets.add(start, false, Date.parse(ts ?? ''), replaces)
    offsets.setEnd(start + Buffer.byteLength(text))
    const id = index.add(texts, tag)
    ranking.onAdded?.(id)
    return id
  }

  async #idAfterReload(start: number): Promise<number> {
    const { offsets } = await this.#reload()
    return offsets.idAt(start)
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#writeCount += 1
    try {
      return await work()
    } finally {
      this.#writeCount -= 1
    }
  }

  async #findCopy({ messages, tag }: HardMemory): Promise<number> {
    const loaded = await this.#current()
    const entry = JSON.stringify({ messages, tag })
    const texts = messages.map(({ content }) => content)
    const candidates = loaded.index.idsWithSameWords(texts, tag)
    const memories = this.#read(loaded, candidates)
    const position = memories.findIndex(
      (memory) => JSON.stringify({ messages: memory.messages, tag: memory.tag }) === entry,
    )
    return position === -1 ? -1 : (candidates[position] as number)
  }

  #read({ offsets }: LoadedMemories, ids: readonly number[]): HardMemory[] {
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
        const bytes = readBytes(descriptor, offsets.startOf(id), offsets.endOf(id))
        const memory = parseEntry(JSON.parse(bytes.toString('utf8')) as object)
        return { messages: [], tag: '', ts: rfc3339(new Date(offsets.timeOf(id))), ...memory }
      })
    } catch (error) {
      throw fileError('read', path, error)
    } finally {
      closeSync(descriptor)
    }
  }
}
