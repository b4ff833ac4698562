// The soft memory: one text that is always replaced completely, in a file that users may edit.
import { isUtf8 } from 'node:buffer'
import { promises } from 'node:fs'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { errnoOf, fileError, ZeeError } from '@zee/core/errors'
import { moveAside } from '@zee/core/set-aside'
import { FileQueues } from './storage/storage.ts'

export class SoftMemory {
  readonly #file: string
  readonly #assertOwner: () => void
  readonly #queues = new FileQueues()

  constructor(file: string, assertOwner: () => void) {
    this.#file = file
    this.#assertOwner = assertOwner
  }

  get(): Promise<string> {
    return this.#queues.run(this.#file, () => this.#read())
  }

  set(content: string): Promise<void> {
    return this.#queues.run(this.#file, async () => {
      this.#assertOwner()
      return writeFileAtomic(this.#file, content, { mode: 0o600 })
    })
  }

  async #read(): Promise<string> {
    let bytes: Buffer
    try {
      bytes = await promises.readFile(this.#file)
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return ''
      throw fileError('read', this.#file, error)
    }
    if (isUtf8(bytes)) return bytes.toString('utf8')
    const aside = moveAside(this.#file)
    throw new ZeeError('damaged', `${this.#file} is not UTF-8 text: it is kept as ${aside}`)
  }
}
