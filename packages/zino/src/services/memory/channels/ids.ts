// Maps file names back to channel ids, for ids that are not plain: `channel_ids.jsonl` has one line per
// id, written before the channel's first message.
import { existsSync } from 'node:fs'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'
import { isPlainId } from './file-name.ts'

export class ChannelIds {
  readonly #journal: Journal
  readonly #ids = new Map<string, string>()

  constructor(file: string) {
    this.#journal = openJournal(file, { durability: 'durable' })
    if (!existsSync(file)) return
    readJournalSync(file, ({ record: { file: name, channel_id: id } }) => {
      if (typeof name === 'string' && typeof id === 'string') this.#ids.set(name, id)
    })
  }

  idOf(fileName: string): string | undefined {
    return this.#ids.get(fileName)
  }

  remember(fileName: string, id: string): void {
    if (isPlainId(id) || this.#ids.has(fileName)) return
    this.#journal.append({ file: fileName, channel_id: id })
    this.#ids.set(fileName, id)
  }

  close(): void {
    this.#journal.close()
  }
}
