// Channel histories: one list file per channel.
import { promises } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import type { StoredMessage } from '../../../fields/fields.ts'
import type { ListStore } from '../storage/storage.ts'
import { elementStart, elementText, FileQueues, parseList } from '../storage/storage.ts'
import { channelFileName, plainIdOfFile } from './file-name.ts'
import { ChannelIds } from './ids.ts'

export interface ChannelEntry {
  /** Missing when another program created the file and its name holds no id. */
  channel_id?: string
  /** Missing when the file is damaged. */
  messages?: number
  bytes: number
}

interface TurnMessage extends StoredMessage {
  turn?: string
}

const folder = 'channels'
/** A repeated request to store a turn comes soon after the first one. */
const turnWindow = 200

export class Channels {
  readonly #lists: ListStore
  readonly #ids: ChannelIds
  readonly #counts = new Map<string, { key: string; messages: number | undefined }>()
  readonly #turns = new FileQueues()

  constructor(lists: ListStore) {
    this.#lists = lists
    this.#ids = new ChannelIds(lists.pathOf('channel_ids.jsonl'))
  }

  /** The newest `limit` messages, oldest first; all of them when the limit is not above 0. */
  history(id: string, limit: number): Promise<object[]> {
    const file = channelFile(id)
    return limit > 0 ? this.#lists.last(file, limit) : this.#lists.all(file)
  }

  async append(id: string, messages: readonly StoredMessage[]): Promise<void> {
    this.#ids.remember(channelFileName(id), id)
    await this.#lists.append(
      channelFile(id),
      messages.map((message) => elementText(message)),
    )
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
      const recent = (await this.history(id, isAmended ? 0 : turnWindow)) as TurnMessage[]
      const end = recent.findLastIndex((message) => message.turn === turn) + 1
      const stored = recent.filter((message) => message.turn === turn).length
      const missing = messages.slice(stored).map((message) => ({ ...message, turn }))
      if (missing.length === 0) return
      if (end === 0 || end === recent.length) return this.append(id, missing)
      const all = await this.history(id, 0)
      all.splice(all.length - (recent.length - end), 0, ...missing)
      await this.#lists.rewrite(channelFile(id), all)
    })
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
