// Channel histories: one list file per channel, all searchable through one index.
import { closeSync, openSync, promises, statSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { errnoOf, fileError, reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { StoredMessage } from '../../../fields/fields.ts'
import type { RankingName } from '../search/search.ts'
import type { ListStore } from '../storage/storage.ts'
import {
  elementStart,
  elementText,
  FileQueues,
  parseList,
  readBytes,
  scanList,
} from '../storage/storage.ts'
import { earlierTexts, forgottenElement, hasTime, isForgotten, storedMessage } from './element.ts'
import { channelFileName, plainIdOfFile } from './file-name.ts'
import type { HistoryFilter, IndexedMessage } from './history-index.ts'
import { HistoryIndex } from './history-index.ts'
import { ChannelIds } from './ids.ts'

export type { HistoryFilter } from './history-index.ts'

export interface ChannelEntry {
  /** Missing when another program created the file and its name holds no id. */
  channel_id?: string
  /** Missing when the file is damaged. */
  messages?: number
  bytes: number
}

export interface FoundMessage {
  channel: string
  position: number
  score: number
  why: string[]
  message: StoredMessage
}

export interface ChannelsOptions {
  lists: ListStore
  ranking: RankingName
  log: Logger
}

const folder = 'channels'
/** A repeated request to store a turn comes soon after the first one. */
const turnWindow = 200

export class Channels {
  readonly #lists: ListStore
  readonly #log: Logger
  readonly #ids: ChannelIds
  readonly #index: HistoryIndex
  readonly #counts = new Map<string, { key: string; messages: number | undefined }>()
  readonly #turns = new FileQueues()
  #loading: Promise<void> | undefined
  #isLoaded = false
  /** Channels that are being indexed, and those that changed meanwhile. */
  readonly #busy = new Set<string>()
  readonly #missed = new Set<string>()

  constructor({ lists, ranking, log }: ChannelsOptions) {
    this.#lists = lists
    this.#log = log
    this.#ids = new ChannelIds(lists.pathOf('channel_ids.jsonl'))
    this.#index = new HistoryIndex(ranking)
  }

  get indexBytes(): number {
    return this.#index.memoryBytes
  }

  /** Builds the index before the first search. */
  preload(): void {
    this.#load().catch((error: unknown) => this.#log.error(`histories: ${reasonOf(error)}`))
  }

  /** The newest `limit` messages, oldest first; all of them when the limit is not above 0. */
  history(id: string, limit: number): Promise<object[]> {
    const file = channelFile(id)
    return limit > 0 ? this.#lists.last(file, limit) : this.#lists.all(file)
  }

  async append(id: string, messages: readonly StoredMessage[]): Promise<void> {
    await this.#ids.remember(channelFileName(id), id)
    const texts = messages.map((message) => elementText(message))
    const file = channelFile(id)
    const isExpected = this.#isExpected(file)
    const starts = await this.#lists.append(file, texts)
    if (!isExpected && this.#isLoaded) return this.#reindex(id)
    if (!this.#isLoaded || this.#busy.has(id)) {
      this.#missed.add(id)
      return
    }
    for (const [at, message] of messages.entries()) {
      const start = starts[at] as number
      this.#index.add(id, message, { start, end: start + Buffer.byteLength(texts[at] as string) })
    }
  }

  /**
   * Stores the messages of a turn once, side by side: messages that are already stored are left out, and
   * the others follow them. `isAmended` says that a part of the turn was stored earlier.
   */
  async appendTurn(
    id: string,
    turn: string,
    messages: readonly StoredMessage[],
    isAmended: boolean,
  ): Promise<void> {
    await this.#turns.run(id, async () => {
      const recent = (await this.history(id, isAmended ? 0 : turnWindow)) as StoredMessage[]
      const end = recent.findLastIndex((message) => message.turn === turn) + 1
      const stored = recent.filter((message) => message.turn === turn).length
      const missing = messages.slice(stored).map((message) => ({ ...message, turn }))
      if (missing.length === 0) return
      if (end === 0 || end === recent.length) return this.append(id, missing)
      await this.#update(id, (all) => {
        const messages = all as StoredMessage[]
        return messages.toSpliced(
          messages.findLastIndex((message) => message.turn === turn) + 1,
          0,
          ...missing,
        )
      })
    })
  }

  /** Resolves to whether the channel existed. */
  clear(id: string): Promise<boolean> {
    return this.#turns.run(id, async () => {
      const existed = this.#stat(channelFile(id)) !== undefined
      await this.#lists.remove(channelFile(id))
      // At once: an append may begin the channel anew while the checkpoint runs.
      if (this.#busy.has(id)) this.#missed.add(id)
      else this.#index.drop(id)
      await this.#lists.checkpoint()
      return existed
    })
  }

  /** Messages that match the query, best first. */
  async search(query: string, limit: number, filter: HistoryFilter): Promise<FoundMessage[]> {
    await this.#load()
    if (filter.channel !== undefined) await this.#refresh(filter.channel)
    const found = this.#index.search(query, limit, filter)
    return found.flatMap((hit) => {
      const message = this.#read(hit)
      const { channel, position, score, why } = hit
      return message === undefined ? [] : [{ channel, position, score, why, message }]
    })
  }

  /** One message; undefined when the channel has none at this position, or a forgotten one. */
  async message(id: string, position: number): Promise<StoredMessage | undefined> {
    await this.#load()
    await this.#refresh(id)
    const entry = this.#index.at(id, position)
    return entry === undefined ? undefined : this.#read(entry)
  }

  /** Number of messages that the index knows of a channel. */
  async lengthOf(id: string): Promise<number> {
    await this.#load()
    return this.#index.lengthOf(id)
  }

  /**
   * Replaces the text of one message; its earlier text stays in the file for searches of the past. Resolves
   * to false when there is no such message.
   */
  editMessage(id: string, position: number, content: string, ts: string): Promise<boolean> {
    return this.#change(id, position, async (element) => {
      const before = { content: storedMessage(element, ts).content, until: ts }
      return { ...element, content, edited: ts, earlier: [...earlierTexts(element), before] }
    })
  }

  /**
   * Removes all texts of one message; the list keeps its length. `onForget` runs first, and no other change
   * of the channel comes between. Resolves to false when there is no such message.
   */
  async forgetMessage(
    id: string,
    position: number,
    onForget: (message: StoredMessage, texts: readonly string[]) => Promise<void>,
  ): Promise<boolean> {
    const isForgotten = await this.#change(id, position, async (element) => {
      const message = storedMessage(element, '')
      const earlier = earlierTexts(element).map(({ content }) => content)
      await onForget(message, [message.content, ...earlier])
      return forgottenElement(element)
    })
    await this.#lists.checkpoint()
    return isForgotten
  }

  /** Replaces a history. */
  async replace(id: string, messages: readonly object[]): Promise<void> {
    await this.#ids.remember(channelFileName(id), id)
    await this.#turns.run(id, () => this.#rewrite(id, messages))
  }

  /** All channels that have a file, by file name. */
  async list(): Promise<ChannelEntry[]> {
    const names = await promises.readdir(this.#lists.pathOf(folder))
    const entries: ChannelEntry[] = []
    for (const name of names.sort()) {
      if (!name.endsWith('.json') || name.startsWith('.')) continue
      const entry = await this.#describe(name)
      if (entry !== undefined) entries.push(entry)
    }
    return entries
  }

  close(): void {
    this.#ids.close()
  }

  #change(
    id: string,
    position: number,
    change: (element: object) => Promise<object>,
  ): Promise<boolean> {
    return this.#turns.run(id, async () => {
      const element = (await this.#lists.all(channelFile(id)))[position]
      if (element === undefined || isForgotten(element)) return false
      const changed = await change(element)
      await this.#update(id, (all) => (position < all.length ? all.with(position, changed) : all))
      return true
    })
  }

  async #rewrite(id: string, messages: readonly object[]): Promise<void> {
    await this.#lists.rewrite(channelFile(id), messages)
    await this.#reindex(id)
  }

  async #update(id: string, change: (list: object[]) => readonly object[]): Promise<void> {
    await this.#lists.update(channelFile(id), change)
    await this.#reindex(id)
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadAll()
    return this.#loading
  }

  async #loadAll(): Promise<void> {
    for (const { channel_id: id } of await this.list()) {
      if (id !== undefined) await this.#reindex(id)
    }
    for (const id of this.#missed) await this.#reindex(id)
    this.#isLoaded = true
  }

  /** Reindexes a channel whose file another program has changed. */
  async #refresh(id: string): Promise<void> {
    if (!this.#isExpected(channelFile(id))) await this.#reindex(id)
  }

  /** Whether the file is missing or as this process left it. */
  #isExpected(file: string): boolean {
    const stats = this.#stat(file)
    return stats === undefined || this.#lists.identities.has(file, stats)
  }

  async #reindex(id: string): Promise<void> {
    const file = channelFile(id)
    if (this.#busy.has(id)) {
      this.#missed.add(id)
      return
    }
    this.#busy.add(id)
    try {
      do {
        this.#missed.delete(id)
        this.#index.drop(id)
        if (!(await this.#scan(id, file))) {
          // The file of another program, or one that an append changed during the scan.
          await this.#lists.update(file, (list) => list)
          this.#missed.add(id)
        }
      } while (this.#missed.has(id))
    } catch (error) {
      this.#log.error(`channel ${JSON.stringify(id)} is not searchable: ${reasonOf(error)}`)
    } finally {
      this.#busy.delete(id)
    }
  }

  /** Resolves to false when the file is not in the form that mem writes. */
  async #scan(id: string, file: string): Promise<boolean> {
    let handle: promises.FileHandle
    try {
      handle = await promises.open(this.#lists.pathOf(file), 'r')
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return true
      throw error
    }
    try {
      const stats = await handle.stat()
      if (stats.size <= 2) return true
      const fallback = rfc3339(stats.mtime)
      // Messages of earlier versions have no time: they are as old as the first one that has.
      let untimed = 0
      let firstMs: number | undefined
      let previous: { message: object; start: number } | undefined
      const add = (end: number) => {
        if (previous === undefined) return
        const range = { start: previous.start, end }
        const message = storedMessage(previous.message, fallback)
        if (hasTime(previous.message)) firstMs ??= Date.parse(message.ts)
        if (firstMs === undefined) untimed += 1
        const texts = earlierTexts(previous.message)
        this.#index.add(id, message, range, texts)
      }
      const end = await scanList(handle, ({ elements, starts }) => {
        for (const [at, message] of elements.entries()) {
          const start = starts[at] as number
          add(start - separatorBytes)
          previous = { message, start }
        }
      })
      if (end === undefined) return false
      add(end)
      if (firstMs !== undefined) this.#index.setTimes(id, untimed, firstMs)
      this.#lists.identities.add(file, stats)
      return true
    } finally {
      await handle.close()
    }
  }

  #read({ channel, start, end, tsMs, version }: IndexedMessage): StoredMessage | undefined {
    const file = this.#lists.pathOf(channelFile(channel))
    try {
      const descriptor = openSync(file, 'r')
      try {
        const text = readBytes(descriptor, start, end).toString('utf8')
        const ts = Number.isNaN(tsMs) ? '' : rfc3339(new Date(tsMs))
        const element = JSON.parse(text) as object
        if (isForgotten(element)) return undefined
        const message = storedMessage(element, ts)
        if (version === undefined) return message
        const earlier = earlierTexts(element)[version]
        return earlier === undefined ? undefined : { ...message, content: earlier.content }
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      if (error instanceof SyntaxError || errnoOf(error) === 'ENOENT') return undefined
      throw fileError('read', file, error)
    }
  }

  #stat(file: string) {
    return statSync(this.#lists.pathOf(file), { throwIfNoEntry: false })
  }

  async #describe(name: string): Promise<ChannelEntry | undefined> {
    try {
      const file = this.#lists.pathOf(path.join(folder, name))
      const { size, mtimeMs, ino } = await promises.stat(file)
      const key = `${size} ${mtimeMs} ${ino}`
      let counted = this.#counts.get(name)
      if (counted?.key !== key) {
        counted = { key, messages: countMessages(await promises.readFile(file)) }
        this.#counts.set(name, counted)
      }
      const id = plainIdOfFile(name) ?? this.#ids.idOf(name)
      return { channel_id: id, messages: counted.messages, bytes: size }
    } catch (error) {
      // The channel was cleared concurrently.
      if (errnoOf(error) === 'ENOENT') return undefined
      throw error
    }
  }
}

/** Bytes between two elements: comma, line break, two spaces. */
const separatorBytes = 4

function channelFile(id: string): string {
  return `${folder}/${channelFileName(id)}`
}

/** Counts without parsing when the file is in the form that mem writes. */
function countMessages(bytes: Buffer): number | undefined {
  if (bytes.indexOf(elementStart) !== 1) return parseList(bytes)?.length
  let count = 0
  for (let at = 1; at !== -1; at = bytes.indexOf(elementStart, at + 1)) count += 1
  return count
}
