// The file of the next turn, created in advance. Flushing a new entry of a folder takes longer than
// flushing a record, and a turn must be on the disk before its first model call. The spare file is on the
// disk with its name, so a turn only renames it: after a power loss it has one of its two names.
import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { flushFolder, writeFileAtomic } from '@zee/core/atomic-file'
import { ensureDurableFolder } from '@zee/core/folders'
import { turnFileOf } from '../../turns/turns.ts'
import { readTurnFile } from './turn-record.ts'

/** Not the name of a turn: those begin with a letter or a digit. */
const spareName = '.spare.jsonl'

export class SpareRecord {
  readonly #folder: string
  readonly #file: string
  #state: 'absent' | 'preparing' | 'ready' = 'absent'

  constructor(folder: string) {
    this.#folder = folder
    this.#file = path.join(folder, spareName)
  }

  /** Gives the file of an earlier process, if a turn had begun in it, the name of that turn. */
  recover(): void {
    if (!existsSync(this.#file)) return
    const turn = readTurnFile(this.#file)?.begin.turn
    if (turn !== undefined) renameSync(this.#file, turnFileOf(this.#folder, turn))
  }

  /** Creates the file while daemon waits for messages; without it a turn creates its own. */
  async prepare(): Promise<void> {
    if (this.#state !== 'absent') return
    this.#state = 'preparing'
    this.#state = await this.#create().then(
      () => 'ready',
      () => 'absent',
    )
  }

  /** Makes the file the record of a turn, if it is ready. */
  take(turn: string): void {
    if (this.#state !== 'ready') return
    this.#state = 'absent'
    try {
      renameSync(this.#file, turnFileOf(this.#folder, turn))
    } catch {
      // The turn creates its own file, and reports what is wrong with the folder.
    }
  }

  async #create(): Promise<void> {
    ensureDurableFolder(this.#folder, 0o700)
    // The turn that took the last spare file must have its own name on the disk before this one replaces it.
    await flushFolder(this.#folder)
    // Not empty: a journal flushes the entry of an empty file again, as its creator may have crashed.
    await writeFileAtomic(this.#file, '{"kind":"spare"}\n', { mode: 0o600 })
  }
}
