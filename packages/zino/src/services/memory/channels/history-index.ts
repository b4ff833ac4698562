// The search index over all channel histories: one entry per stored message, with its channel, position,
// time and place in the file. Texts stay in the files.
import type { StoredMessage } from '../../../fields/fields.ts'
import type { Accepts, RankingName, SearchHit } from '../search/search.ts'
import { createRanking, MemoryIndex, withCapacity } from '../search/search.ts'

export interface IndexedMessage {
  channel: string
  position: number
  tsMs: number
  role: string
  /** Byte range of the element in the channel's file. */
  start: number
  end: number
}

export interface HistoryFilter {
  channel?: string | undefined
  sinceMs?: number | undefined
  untilMs?: number | undefined
  /** Messages of this channel from this position on are left out. */
  before?: { channel: string; position: number } | undefined
}

export type HistoryHit = SearchHit & IndexedMessage

const roles = ['user', 'assistant', 'system', 'tool'] as const

export class HistoryIndex {
  readonly #index: MemoryIndex
  readonly #ranking: ReturnType<typeof createRanking>
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()
  #channels = new Uint32Array(0)
  #positions = new Uint32Array(0)
  #roles = new Uint8Array(0)
  #times = new Float64Array(0)
  #starts = new Float64Array(0)
  #ends = new Float64Array(0)
  /** Entries per channel, in order. */
  readonly #entries = new Map<string, number[]>()

  constructor(ranking: RankingName) {
    this.#index = new MemoryIndex({ stems: ranking === 'recall' })
    this.#ranking = createRanking(ranking, this.#index)
  }

  get memoryBytes(): number {
    return this.#index.memoryBytes
  }

  get count(): number {
    return this.#index.memoryCount
  }

  /** Number of messages of a channel. */
  lengthOf(channel: string): number {
    return this.#entries.get(channel)?.length ?? 0
  }

  /** Appends a message of the channel; an older message without a time has that of its file. */
  add(channel: string, message: StoredMessage, range: { start: number; end: number }): void {
    const id = this.#index.add([message.content], '', channel)
    this.#ranking.onAdded?.(id)
    this.#reserve(id + 1)
    const entries = this.#entries.get(channel) ?? []
    this.#entries.set(channel, entries)
    this.#channels[id] = this.#numberOf(channel)
    this.#positions[id] = entries.length
    this.#roles[id] = Math.max(0, roles.indexOf(message.role as (typeof roles)[number]))
    this.#times[id] = Date.parse(message.ts)
    this.#starts[id] = range.start
    this.#ends[id] = range.end
    entries.push(id)
  }

  /** Removes all messages of a channel. */
  drop(channel: string): void {
    for (const id of this.#entries.get(channel) ?? []) {
      this.#index.forget(id)
      this.#ranking.onForgotten?.(id)
    }
    this.#entries.delete(channel)
  }

  search(query: string, limit: number, filter: HistoryFilter): HistoryHit[] {
    return this.#ranking
      .search(query, limit, this.#acceptor(filter))
      .map((hit) => ({ ...hit, ...this.entry(hit.id) }))
  }

  at(channel: string, position: number): IndexedMessage | undefined {
    const id = this.#entries.get(channel)?.[position]
    return id === undefined ? undefined : this.entry(id)
  }

  entry(id: number): IndexedMessage {
    return {
      channel: this.#names[this.#channels[id] as number] as string,
      position: this.#positions[id] as number,
      tsMs: this.#times[id] as number,
      role: roles[this.#roles[id] as number] as string,
      start: this.#starts[id] as number,
      end: this.#ends[id] as number,
    }
  }

  #acceptor({ channel, sinceMs, untilMs, before }: HistoryFilter): Accepts | undefined {
    if (channel === undefined && sinceMs === undefined && untilMs === undefined && !before) {
      return undefined
    }
    const wanted = channel === undefined ? undefined : (this.#numbers.get(channel) ?? -1)
    const recent = before === undefined ? undefined : this.#numbers.get(before.channel)
    return (id) => {
      const number = this.#channels[id] as number
      const time = this.#times[id] as number
      if (wanted !== undefined && number !== wanted) return false
      if (sinceMs !== undefined && !(time >= sinceMs)) return false
      if (untilMs !== undefined && time > untilMs) return false
      return number !== recent || (this.#positions[id] as number) < (before?.position ?? 0)
    }
  }

  #numberOf(channel: string): number {
    const known = this.#numbers.get(channel)
    if (known !== undefined) return known
    const number = this.#names.push(channel) - 1
    this.#numbers.set(channel, number)
    return number
  }

  #reserve(count: number): void {
    this.#channels = withCapacity(this.#channels, count)
    this.#positions = withCapacity(this.#positions, count)
    this.#roles = withCapacity(this.#roles, count)
    this.#times = withCapacity(this.#times, count)
    this.#starts = withCapacity(this.#starts, count)
    this.#ends = withCapacity(this.#ends, count)
  }
}
