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
  /** The number of an earlier text of an edited message. */
  version?: number | undefined
}

export interface HistoryFilter {
  channel?: string | undefined
  sinceMs?: number | undefined
  untilMs?: number | undefined
  /** The texts of that time; without it, the current ones. */
  atMs?: number | undefined
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
  /** Edited messages have one more entry for each earlier text: when it was valid. */
  readonly #earlier = new Map<number, { version: number; fromMs: number; untilMs: number }>()
  /** The time of the last edit of an entry. */
  readonly #edited = new Map<number, number>()
  readonly #earlierOf = new Map<string, number[]>()

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
  add(
    channel: string,
    message: StoredMessage,
    range: { start: number; end: number },
    earlier: readonly { content: string; until: string }[] = [],
  ): void {
    const entries = this.#entries.get(channel) ?? []
    this.#entries.set(channel, entries)
    const position = entries.length
    const current = this.#addEntry(channel, message, range, position, channel)
    entries.push(current)
    let fromMs = Date.parse(message.ts)
    for (const [version, { content, until }] of earlier.entries()) {
      // A neighbour of no message: the ranking of current texts stays as it is.
      const id = this.#addEntry(channel, { ...message, content }, range, position, `${channel}\0`)
      const untilMs = Date.parse(until)
      this.#earlier.set(id, { version, fromMs, untilMs })
      this.#earlierOf.set(channel, [...(this.#earlierOf.get(channel) ?? []), id])
      fromMs = untilMs
    }
    if (earlier.length > 0) this.#edited.set(current, fromMs)
  }

  #addEntry(
    channel: string,
    message: StoredMessage,
    range: { start: number; end: number },
    position: number,
    group: string,
  ): number {
    const id = this.#index.add([message.content], '', group)
    this.#ranking.onAdded?.(id)
    this.#reserve(id + 1)
    this.#channels[id] = this.#numberOf(channel)
    this.#positions[id] = position
    this.#roles[id] = Math.max(0, roles.indexOf(message.role as (typeof roles)[number]))
    this.#times[id] = Date.parse(message.ts)
    this.#starts[id] = range.start
    this.#ends[id] = range.end
    return id
  }

  /** Sets the time of the first `count` messages of a channel. */
  setTimes(channel: string, count: number, timeMs: number): void {
    for (const id of this.#entries.get(channel)?.slice(0, count) ?? []) this.#times[id] = timeMs
  }

  /** Removes all messages of a channel. */
  drop(channel: string): void {
    const earlier = this.#earlierOf.get(channel) ?? []
    for (const id of [...(this.#entries.get(channel) ?? []), ...earlier]) {
      this.#index.forget(id)
      this.#ranking.onForgotten?.(id)
      this.#earlier.delete(id)
      this.#edited.delete(id)
    }
    this.#entries.delete(channel)
    this.#earlierOf.delete(channel)
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
      version: this.#earlier.get(id)?.version,
    }
  }

  #acceptor(filter: HistoryFilter): Accepts | undefined {
    const { channel, sinceMs, untilMs, before, atMs } = filter
    const isPlain = channel === undefined && sinceMs === undefined && untilMs === undefined
    if (isPlain && before === undefined && this.#earlier.size === 0) return undefined
    const wanted = channel === undefined ? undefined : (this.#numbers.get(channel) ?? -1)
    const recent = before === undefined ? undefined : this.#numbers.get(before.channel)
    return (id) => {
      const number = this.#channels[id] as number
      const time = this.#times[id] as number
      if (wanted !== undefined && number !== wanted) return false
      if (sinceMs !== undefined && !(time >= sinceMs)) return false
      if (untilMs !== undefined && time > untilMs) return false
      if (this.#edited.size > 0 && !this.#isText(id, atMs)) return false
      if (before === undefined || number !== recent) return true
      return (this.#positions[id] as number) < before.position
    }
  }

  /** Whether the entry was the text of its message at that time. */
  #isText(id: number, atMs: number | undefined): boolean {
    const earlier = this.#earlier.get(id)
    if (atMs === undefined) return earlier === undefined
    if (earlier !== undefined) return earlier.fromMs <= atMs && atMs < earlier.untilMs
    return (this.#edited.get(id) ?? -Infinity) <= atMs
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
