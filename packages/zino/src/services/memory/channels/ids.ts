// Maps file names back to channel ids, for ids that are not plain: `channel_ids.jsonl` has one line per
// id, written before the channel's first message.
import { RecordFile } from '../storage/storage.ts'
import { isPlainId } from './file-name.ts'

export class ChannelIds {
  readonly #file: RecordFile
  readonly #ids = new Map<string, string>()

  constructor(file: string) {
    this.#file = new RecordFile(file)
    for (const { file: name, channel_id: id } of this.#file.records) {
      if (typeof name === 'string' && typeof id === 'string') this.#ids.set(name, id)
    }
  }

  idOf(fileName: string): string | undefined {
    return this.#ids.get(fileName)
  }

  async remember(fileName: string, id: string): Promise<void> {
    if (isPlainId(id) || this.#ids.has(fileName)) return
    await this.#file.add({ file: fileName, channel_id: id })
    this.#ids.set(fileName, id)
  }

  close(): void {
    this.#file.close()
  }
}
