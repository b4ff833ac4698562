// What timers have produced, until the user is done with it: inbox.jsonl. Only ids stay in memory; the
// texts are read from the file.
import { existsSync } from 'node:fs'
import { cutToBytes } from '@zee/core/bounded'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { readJournalSync } from '@zee/core/journal'
import { isObject } from '@zee/core/json'
import type { Logger } from '@zee/core/log'
import type { Forgotten } from '../../../turns/turns.ts'
import type { Damage } from '../event-file/event-file.ts'
import { EventFile } from '../event-file/event-file.ts'
import type { JobKind } from '../jobs/jobs.ts'

export { Notifier } from './notifier.ts'

export interface NewEntry {
  job: string
  kind: JobKind
  /** The time expression of the job. */
  when: string
  zone: string
  turn: string
  channel: string
  due: number
  isLate: boolean
  prompt: string | undefined
  text: string
  error: string | undefined
  isTruncated: boolean
}

export interface InboxOptions {
  file: string
  clock: Clock
  log: Logger
  /** Called after an entry is on the disk. */
  onAdded(text: string): void
  /** Replaces secrets, with `mem.redact`. */
  redact?: (text: string) => string
}

/** Older entries are dropped, with a line in the log. */
const maxEntries = 1000
/** The whole answer is in the history of the channel. */
const maxTextBytes = 64 * 1024

export class Inbox {
  readonly #options: InboxOptions
  /** Turns by the ids of their entries, oldest first. */
  readonly #turns = new Map<number, string>()
  #lastId = 0
  #reservedId = 0
  #dropped = 0
  readonly #file: EventFile

  constructor(options: InboxOptions) {
    this.#options = options
    const { file, log } = options
    this.#file = new EventFile({
      file,
      apply: (event) => this.#apply(event),
      snapshot: () => this.#snapshot(),
      onCompactionError: (error) => log.warn(`${file} cannot be shortened: ${reasonOf(error)}`),
    })
  }

  get damage(): Damage | undefined {
    return this.#file.damage
  }

  /** Number of entries that were dropped because newer ones came. */
  get dropped(): number {
    return this.#dropped
  }

  get size(): number {
    return this.#turns.size
  }

  /** Whether the turn has delivered its result. */
  has(turn: string): boolean {
    for (const known of this.#turns.values()) if (known === turn) return true
    return false
  }

  async add(entry: NewEntry): Promise<void> {
    const { redact = (words: string) => words } = this.#options
    const { text, truncated } = cutToBytes(redact(entry.text), maxTextBytes)
    const { due, isLate, isTruncated, error, prompt, channel, ...rest } = entry
    // Reserved before the first await: entries may be added side by side.
    this.#reservedId = Math.max(this.#lastId, this.#reservedId) + 1
    const record = {
      id: this.#reservedId,
      ts: rfc3339(this.#options.clock.now()),
      ...rest,
      channel: channel === '' ? null : channel,
      due: rfc3339(new Date(due), 0),
      late: isLate,
      ...(prompt === undefined ? {} : { prompt: cutToBytes(redact(prompt), maxTextBytes).text }),
      text,
      truncated: truncated || isTruncated,
      failed: error !== undefined,
    }
    await this.#file.commit({ kind: 'entry', entry: record })
    this.#options.onAdded(entry.text)
    await this.#dropOldest()
  }

  /** The entries, oldest first. */
  list(): object[] {
    return [...this.#read().values()]
  }

  /** Removes entries; resolves to the ids that existed. */
  async remove(ids: readonly number[]): Promise<number[]> {
    const known = [...new Set(ids)].filter((id) => this.#turns.has(id))
    if (known.length > 0) await this.#file.commit({ kind: 'removed', ids: known })
    return known
  }

  async clear(): Promise<number> {
    return (await this.remove([...this.#turns.keys()])).length
  }

  /** Removes the entries of these turns, and those whose prompt or text is one of the texts, from the file too. */
  async forget({ turns, texts }: Forgotten): Promise<void> {
    const said = texts.filter((text) => text !== '')
    const cut = new Set(said.map((text) => cutToBytes(text, maxTextBytes).text))
    const isForgotten = ({ turn, prompt, text }: Readonly<Record<string, unknown>>) =>
      turns.has(turn as string) || cut.has(prompt as string) || cut.has(text as string)
    const entries = [...this.#read()] as [number, Record<string, unknown>][]
    await this.remove(entries.filter(([, entry]) => isForgotten(entry)).map(([id]) => id))
    await this.#file.compact()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #dropOldest(): Promise<void> {
    const surplus = [...this.#turns.keys()].slice(0, -maxEntries)
    if (surplus.length === 0) return
    await this.#file.commit({ kind: 'dropped', ids: surplus })
    this.#options.log.warn(`the inbox is full: ${surplus.length} old entries were dropped`)
  }

  #apply(event: Readonly<Record<string, unknown>>): boolean {
    switch (event.kind) {
      case 'entry': {
        if (!isObject(event.entry)) return false
        const { id, turn } = event.entry
        if (typeof id !== 'number' || typeof turn !== 'string') return false
        this.#turns.set(id, turn)
        this.#lastId = Math.max(this.#lastId, id)
        return true
      }
      case 'removed':
      case 'dropped': {
        if (!Array.isArray(event.ids)) return false
        for (const id of event.ids) this.#turns.delete(id as number)
        if (event.kind === 'dropped') this.#dropped += event.ids.length
        return true
      }
      case 'head': {
        const { last_id: lastId, dropped } = event
        if (typeof lastId !== 'number' || typeof dropped !== 'number') return false
        this.#lastId = Math.max(this.#lastId, lastId)
        this.#dropped = dropped
        return true
      }
      default:
        return false
    }
  }

  *#snapshot(): Iterable<object> {
    yield { kind: 'head', last_id: this.#lastId, dropped: this.#dropped }
    for (const entry of this.#read().values()) yield { kind: 'entry', entry }
  }

  #read(): Map<number, object> {
    const entries = new Map<number, object>()
    const { file } = this.#options
    if (!existsSync(file)) return entries
    readJournalSync(file, ({ record: { entry } }) => {
      if (!isObject(entry) || typeof entry.id !== 'number') return
      if (this.#turns.get(entry.id) === entry.turn) entries.set(entry.id, entry)
    })
    return entries
  }
}
