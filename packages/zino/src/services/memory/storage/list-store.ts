// The JSON lists of the data folder. An append costs O(1): a group commit to the journal (a
// write-ahead log), then an in-place write over the closing bracket. When it resolves, the file is
// complete and valid. After a crash the replay of the journal restores that.
import { closeSync, fstatSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { errnoOf, fileError, reasonOf, UncertainError, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { moveAside } from '@zee/core/set-aside'
import type { WriteAheadLog } from '@zee/core/wal'
import { applyRecords, barrier, Checkpointer, fsyncIfExists } from '@zee/core/wal'
import type { PendingAppend } from './append-batch.ts'
import { takeBatch } from './append-batch.ts'
import { FileIdentities } from './file-identities.ts'
import { FileQueues } from './file-queues.ts'
import type { ListFile } from './in-place.ts'
import { writeInPlace } from './in-place.ts'
import type { ListEnd } from './list-text.ts'
import { listEnd, listTail, listText, parseList } from './list-text.ts'
import { isList, readBytes, readLast } from './read-list.ts'

export interface ListStoreOptions {
  /** File names are relative to it. */
  folder: string
  journal: WriteAheadLog
  log: Logger
}

/** A larger write could be torn by a crash, so the file is replaced atomically instead. */
const maxInPlaceBytes = 64 * 1024
const tailBytes = 64
const mode = 0o600

export class ListStore {
  readonly identities = new FileIdentities()
  readonly #folder: string
  readonly #journal: WriteAheadLog
  readonly #log: Logger
  readonly #checkpointer: Checkpointer
  readonly #queues = new FileQueues()
  readonly #pending = new Map<string, PendingAppend[]>()
  /** Files with a refused write that is still in the journal: a barrier must void it first. */
  readonly #unvoided = new Set<string>()
  /** Content of files that a failed write has torn, until they are rewritten. */
  readonly #lost = new Map<string, Buffer>()

  constructor({ folder, journal, log }: ListStoreOptions) {
    this.#folder = folder
    this.#journal = journal
    this.#log = log
    const rewrite = (file: string) => this.#queues.run(file, () => this.#rewriteFromJournal(file))
    this.#checkpointer = new Checkpointer({ folder, wal: journal, log, rewrite })
  }

  pathOf(file: string): string {
    return path.join(this.#folder, file)
  }

  /** Appends elements, all or none; resolves to their offsets in the file when they are durable. */
  append(file: string, texts: readonly string[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const item = { texts, resolve, reject }
      const pending = this.#pending.get(file)
      if (pending !== undefined) {
        pending.push(item)
        return
      }
      this.#pending.set(file, [item])
      void this.#queues.run(file, () => this.#appendPending(file))
    })
  }

  /** Overwrites bytes in the middle of a file. */
  patch(file: string, offset: number, bytes: Buffer): Promise<void> {
    return this.#queues.run(file, async () => {
      if (this.#unvoided.has(file)) await this.#invalidateJournal(file)
      const open = this.#open(file)
      if (open === undefined) throw new ZeeError('enoent', `${this.pathOf(file)} is gone`)
      try {
        if (bytes.length <= maxInPlaceBytes) {
          await this.#writeInPlace(open, { kind: 'patch', offset, bytes })
        } else {
          const { descriptor, stats } = open
          const front = readBytes(descriptor, 0, offset)
          const rest = readBytes(descriptor, offset + bytes.length, stats.size)
          await this.#replace(file, Buffer.concat([front, bytes, rest]))
        }
      } finally {
        closeSync(open.descriptor)
      }
    })
  }

  remove(file: string): Promise<void> {
    return this.#queues.run(file, async () => {
      const open = this.#open(file)
      // The replay would create a missing file with a refused write.
      const mayReturn = this.#unvoided.has(file) || this.#journal.isSuspect
      if (open === undefined && mayReturn) await this.#invalidateJournal(file)
      if (open === undefined) return
      closeSync(open.descriptor)
      const commit = await this.#journal.commit(barrier('removed', file))
      try {
        rmSync(this.pathOf(file), { force: true })
        this.#lost.delete(file)
      } catch (error) {
        await this.#voidRefused(file, error)
        throw fileError('remove', this.pathOf(file), error)
      } finally {
        this.identities.forget(file)
        this.#checkpointer.markDirty(file)
        commit.release()
      }
    })
  }

  /** Every element; a missing file is an empty list. */
  all(file: string): Promise<object[]> {
    return this.#queues.run(file, () => this.#read(file, Infinity))
  }

  /** The last elements, without reading the rest of the file. */
  async last(file: string, count: number): Promise<object[]> {
    // These calls are synchronous, so no write can interleave.
    const open = this.#open(file)
    if (open === undefined) return []
    try {
      const list = this.#lost.has(file)
        ? undefined
        : readLast(open.descriptor, open.stats.size, count)
      if (list !== undefined) return list
    } finally {
      closeSync(open.descriptor)
    }
    return this.#queues.run(file, () => this.#read(file, count))
  }

  /** Moves a file that is not a list aside and throws. */
  refuse(file: string): Promise<never> {
    return this.#queues.run(file, () => this.#refuse(file))
  }

  /** Rewrites a list in the form that mem writes. */
  rewrite(file: string, list: readonly object[]): Promise<void> {
    return this.#queues.run(file, () => this.#replace(file, Buffer.from(listText(list))))
  }

  /**
   * Replaces a list by `change(list)`. No other write comes between the read and the write. A missing
   * file stays missing.
   */
  update(file: string, change: (list: object[]) => readonly object[]): Promise<void> {
    return this.#queues.run(file, async () => {
      if (statSync(this.pathOf(file), { throwIfNoEntry: false }) === undefined) return
      const list = await this.#read(file, Infinity)
      await this.#replace(file, Buffer.from(listText(change(list))))
    })
  }

  /** Flushes the files and empties the journal, so that removed bytes are gone from it too. */
  async checkpoint(): Promise<void> {
    await this.#checkpointer.run()
    await this.#checkpointer.run()
  }

  /** Waits for pending work and flushes everything. */
  async close(): Promise<void> {
    await this.#queues.idle()
    await this.#checkpointer.stop()
  }

  async #read(file: string, count: number): Promise<object[]> {
    const open = this.#open(file)
    if (open === undefined) return []
    let list: object[] | undefined
    try {
      list = parseList(this.#lost.get(file) ?? readBytes(open.descriptor, 0, open.stats.size))
    } finally {
      closeSync(open.descriptor)
    }
    if (list === undefined) return this.#refuse(file)
    return list.length > count ? list.slice(-count) : list
  }

  async #appendPending(file: string): Promise<void> {
    const { batch, rest } = takeBatch(this.#pending.get(file) ?? [], maxInPlaceBytes)
    if (rest.length === 0) {
      this.#pending.delete(file)
    } else {
      this.#pending.set(file, rest)
      void this.#queues.run(file, () => this.#appendPending(file))
    }
    try {
      const starts = await this.#append(
        file,
        batch.flatMap(({ texts }) => texts),
      )
      for (const { texts, resolve } of batch) resolve(starts.splice(0, texts.length))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #append(file: string, texts: readonly string[]): Promise<number[]> {
    if (this.#unvoided.has(file)) await this.#invalidateJournal(file)
    const open = this.#open(file)
    if (open === undefined) return this.#create(file, listEnd(texts, true))
    try {
      const { descriptor, stats } = open
      if (!this.identities.has(file, stats) && !isList(descriptor, stats.size))
        return await this.#refuse(file)
      const last = readBytes(descriptor, Math.max(0, stats.size - tailBytes), stats.size)
      const tail = listTail(last, stats.size)
      if (tail.kind === 'open')
        return await this.#appendAt(open, tail.offset, listEnd(texts, false))
      return await this.#rewriteWith(open, texts)
    } finally {
      closeSync(open.descriptor)
    }
  }

  async #appendAt(open: ListFile, offset: number, end: ListEnd): Promise<number[]> {
    const { bytes } = end
    if (bytes.length <= maxInPlaceBytes) {
      await this.#writeInPlace(open, { kind: 'append', offset, bytes })
    } else {
      const front = readBytes(open.descriptor, 0, offset)
      await this.#replace(open.file, Buffer.concat([front, bytes]))
    }
    return end.starts.map((start) => offset + start)
  }

  /** For an empty list, and for one that another program wrote in another form. */
  async #rewriteWith({ file, descriptor, stats }: ListFile, texts: readonly string[]) {
    const list = parseList(readBytes(descriptor, 0, stats.size))
    if (list === undefined) return this.#refuse(file)
    const text = Buffer.from(listText(list))
    const front = list.length === 0 ? Buffer.alloc(0) : text.subarray(0, text.length - '\n]'.length)
    const end = listEnd(texts, list.length === 0)
    await this.#replace(file, Buffer.concat([front, end.bytes]))
    return end.starts.map((start) => front.length + start)
  }

  /** Commits the content to the journal, then creates the file atomically. */
  async #create(file: string, { bytes, starts }: ListEnd): Promise<number[]> {
    if (bytes.length > maxInPlaceBytes) {
      await this.#replace(file, bytes)
      return starts
    }
    const record = { kind: 'append', file, offset: 0, bytes, checksum: 0 } as const
    const commit = await this.#journal.commit(record)
    try {
      await writeFileAtomic(this.pathOf(file), bytes, { mode, durable: false })
      this.identities.add(file, statSync(this.pathOf(file)))
    } catch (error) {
      await this.#voidRefused(file, error)
      throw error
    } finally {
      this.#checkpointer.markDirty(file)
      commit.release()
    }
    return starts
  }

  async #writeInPlace(
    open: ListFile,
    write: { kind: 'append' | 'patch'; offset: number; bytes: Buffer },
  ): Promise<void> {
    const { file } = open
    const failure = await writeInPlace(open, write, this.#journal, (stats) => {
      this.identities.add(file, stats)
      this.#checkpointer.markDirty(file)
    })
    if (failure === undefined) return
    if (failure.lost !== undefined) {
      this.#lost.set(file, failure.lost)
      this.#checkpointer.markSuspect(file)
    }
    // The journal completes a write that may have been made at the next start.
    if (!(failure.error instanceof UncertainError)) await this.#voidRefused(file, failure.error)
    throw failure.error
  }

  /** Replaces a file; when that fails after the rename, the old content comes back. */
  async #replace(file: string, bytes: Buffer): Promise<void> {
    await this.#invalidateJournal(file)
    const target = this.pathOf(file)
    const old = statSync(target, { throwIfNoEntry: false })
    const content = old === undefined ? undefined : readFileSync(target)
    try {
      await writeFileAtomic(target, bytes, { mode })
      if (old === undefined) await this.#commitBarrier('replaced', file)
    } catch (error) {
      if (statSync(target, { throwIfNoEntry: false })?.ino === old?.ino) throw error
      this.#checkpointer.markFolderSuspect(path.dirname(file))
      await this.#restore(file, content, error)
      throw error
    }
    this.identities.add(file, statSync(target))
  }

  async #restore(file: string, content: Buffer | undefined, error: unknown): Promise<void> {
    try {
      if (content === undefined) {
        rmSync(this.pathOf(file), { force: true })
        await fsyncIfExists(path.dirname(this.pathOf(file)))
      } else {
        await writeFileAtomic(this.pathOf(file), content, { mode })
        this.identities.add(file, statSync(this.pathOf(file)))
      }
    } catch (failure) {
      // A power loss may bring the old file back: the next append writes the content anew first.
      this.#checkpointer.markSuspect(file)
      this.#unvoided.add(file)
      throw maybeRecorded(error, failure)
    }
  }

  /** Voids the journal record of a write that is about to be refused. */
  async #voidRefused(file: string, error: unknown): Promise<void> {
    this.#unvoided.add(file)
    try {
      await this.#invalidateJournal(file)
    } catch (failure) {
      throw maybeRecorded(error, failure)
    }
  }

  /** Rewrites a file whose flush failed: its bytes since the last checkpoint are in the journal. */
  async #rewriteFromJournal(file: string): Promise<void> {
    const target = this.pathOf(file)
    const stats = statSync(target, { throwIfNoEntry: false })
    if (stats !== undefined) {
      const isOwn = this.identities.has(file, stats)
      const records = this.#journal.recordsOf(file)
      // The last record of such a file is the refused one.
      if (this.#unvoided.has(file)) records.pop()
      const content = this.#lost.get(file) ?? applyRecords(readFileSync(target), records)
      await writeFileAtomic(target, content, { mode })
      this.#lost.delete(file)
      if (isOwn) this.identities.add(file, statSync(target))
    }
    this.#checkpointer.markRewritten(file)
  }

  async #refuse(file: string): Promise<never> {
    await this.#invalidateJournal(file)
    const aside = moveAside(this.pathOf(file))
    this.identities.forget(file)
    this.#checkpointer.markDirty(file)
    const message = `${this.pathOf(file)} is damaged: it is kept as ${path.basename(aside)}`
    this.#log.error(message)
    throw new ZeeError('damaged', message)
  }

  /** Makes earlier journal records of the file void; its current content is flushed first. */
  async #invalidateJournal(file: string): Promise<void> {
    await this.#flush(file)
    const stats = statSync(this.pathOf(file), { throwIfNoEntry: false })
    // The flush of a removal may have failed: a power loss would bring the file back.
    await this.#commitBarrier(stats === undefined ? 'removed' : 'replaced', file)
    this.#unvoided.delete(file)
  }

  async #commitBarrier(kind: 'removed' | 'replaced', file: string): Promise<void> {
    const commit = await this.#journal.commit(barrier(kind, file))
    commit.release()
  }

  async #flush(file: string): Promise<void> {
    if (!this.#checkpointer.isSuspect(file)) {
      try {
        await fsyncIfExists(this.pathOf(file))
        await fsyncIfExists(path.dirname(this.pathOf(file)))
        return
      } catch (error) {
        this.#checkpointer.markSuspect(file)
        this.#checkpointer.markFolderSuspect(path.dirname(file))
        this.#log.warn(`cannot flush ${file}, rewriting it: ${reasonOf(error)}`)
      }
    }
    await this.#rewriteFromJournal(file)
  }

  /** Undefined when the file does not exist. */
  #open(file: string): ListFile | undefined {
    try {
      const descriptor = openSync(this.pathOf(file), 'r+')
      return { file, descriptor, stats: fstatSync(descriptor) }
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw fileError('open', this.pathOf(file), error)
    }
  }
}

function maybeRecorded(error: unknown, failure: unknown): ZeeError {
  const message = `${reasonOf(error)}; the data may not be recorded (${reasonOf(failure)})`
  return new ZeeError('may_not_be_recorded', message, { cause: error })
}
