// Channel histories: one list file per channel.
import { promises } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import type { ChatMessage } from '../../../fields/fields.ts'
import type { ListStore } from '../storage/storage.ts'
import { elementStart, elementText, parseList } from '../storage/storage.ts'
import { channelFileName, plainIdOfFile } from './file-name.ts'
import { ChannelIds } from './ids.ts'

export interface ChannelEntry {
  /** Missing when another program created the file and its name holds no id. */
  channel_id?: string
  /** Missing when the file is damaged. */
  messages?: number
  bytes: number
}

const folder = 'channels'

export class Channels {
  readonly #lists: ListStore
  readonly #ids: ChannelIds
  readonly #counts = new Map<string, { key: string; messages: number | undefined }>()

  constructor(lists: ListStore) {
    this.#lists = lists
    this.#ids = new ChannelIds(lists.pathOf('channel_ids.jsonl'))
  }

  /** The newest `limit` messages, oldest first; all of them when the limit is not above 0. */
  history(id: string, limit: number): Promise<object[]> {
    const file = channelFile(id)
    return limit > 0 ? this.#lists.last(file, limit) : this.#lists.all(file)
  }

  async append(id: string, messages: readonly ChatMessage[]): Promise<void> {
    if (messages.length === 0) return
    this.#ids.remember(channelFileName(id), id)
    await this.#lists.append(
      channelFile(id),
      messages.map((message) => elementText(message)),
    )
  }

  clear(id: string): Promise<void> {
    return this.#lists.remove(channelFile(id))
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
