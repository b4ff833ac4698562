// Files for the next turns, created in advance: flushing a new entry of a folder takes longer than flushing a
// record, and a turn must be on the disk before the first text of its answer leaves. A turn begins in a spare file and renames
// it. Its name needs no flush: after a power loss the file has an older name, and its content tells the turn.
// The file of a finished turn becomes a spare file again.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureDurableFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'
import { PreparedFile } from '@zee/core/prepared-file'
import { recordedTurns, removeTurnParts, turnFileOf } from '../../turns/turns.ts'
import type { TurnBegin } from './turn-record.ts'
import { readTurnFile, TurnRecord } from './turn-record.ts'

/** Not the start of the name of a turn: those begin with a letter or a digit. */
const prefix = '.spare'
/** Files that wait, each of 16 KiB. */
const maxSpares = 8

export class SpareRecords {
  readonly #folder: string
  readonly #files: PreparedFile[] = []
  #preparing: Promise<void> | undefined
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Gives every file of an earlier process in which a turn had begun the name of that turn. */
  recover(): void {
    for (const name of spareNames(this.#folder)) {
      const file = path.join(this.#folder, name)
      const turn = readTurnFile(file)?.begin.turn
      if (turn === undefined) rmSync(file, { force: true })
      else renameSync(file, turnFileOf(this.#folder, turn))
    }
    for (const id of recordedTurns(this.#folder)) {
      const file = turnFileOf(this.#folder, id)
      const turn = readTurnFile(file)?.begin.turn ?? id
      if (turn === id) continue
      renameSync(file, turnFileOf(this.#folder, turn))
      removeTurnParts(this.#folder, id)
    }
  }

  /** Creates a file while daemon waits for messages, if there is none. */
  async prepare(): Promise<void> {
    if (this.#files.length > 0 || this.#isClosed) return
    this.#preparing ??= this.#create().finally(() => {
      this.#preparing = undefined
    })
    await this.#preparing
  }

  /** Records the begin of a turn in a spare file; returns undefined without one. */
  begin(begin: TurnBegin): TurnRecord | undefined {
    const file = this.#files.pop()
    if (file === undefined) return undefined
    try {
      // First the name: a long message is appended to the file of that name.
      file.rename(turnFileOf(this.#folder, begin.turn))
    } catch {
      // Another program has removed the file, or the whole folder.
      this.#discard(file)
      return undefined
    }
    const record = new TurnRecord(this.#folder, begin.turn, file)
    try {
      record.begin(begin)
      return record
    } catch (error) {
      record.close()
      rmSync(file.path, { force: true })
      throw error
    }
  }

  /** Makes a spare file of the record of a turn that is over, or removes it. */
  async takeBack(file: PreparedFile): Promise<void> {
    try {
      file.blank()
      file.rename(this.#newPath())
      await file.flush()
      this.#keep(file)
    } catch {
      this.#discard(file)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const file of this.#files.splice(0)) file.close()
    await this.#preparing
  }

  async #create(): Promise<void> {
    try {
      ensureDurableFolder(this.#folder, 0o700)
      this.#keep(await PreparedFile.create(this.#newPath(), { mode: 0o600 }))
    } catch {
      // A turn creates its own file, and reports what is wrong with the folder.
    }
  }

  #newPath(): string {
    // Never the name of an earlier file, whose removal or renaming a power loss may undo.
    return path.join(this.#folder, `${prefix}-${randomHex(6)}.jsonl`)
  }

  #keep(file: PreparedFile): void {
    if (this.#isClosed || this.#files.length >= maxSpares) this.#discard(file)
    else this.#files.push(file)
  }

  #discard(file: PreparedFile): void {
    file.close()
    rmSync(file.path, { force: true })
  }
}

function spareNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => name.startsWith(prefix))
}
