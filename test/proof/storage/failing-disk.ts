// The disk of the storage simulation: the functions of `node:fs` below one folder, with faults and crashes.
// It knows what a power loss must keep: the content of a file at its last flush, the entries of a folder
// at its last flush. A failed flush is final: a later one keeps only what was written after it.
// Asynchronous calls end at once, so that a run depends on its seed only.
import fs from 'node:fs'
import type { RmOptions } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { Random } from '../../long/random.ts'

type Entries = Map<string, bigint>

export class FailingDisk {
  root = ''
  random: Random | undefined
  /** One operation of this number fails, at random; 0 for none. */
  faultEvery = 0
  /** Number of operations until the crash; Infinity for none. */
  untilCrash = Infinity
  hasCrashed = false
  operations = 0
  faults = 0
  readonly #paths = new Map<number, string>()
  /** A descriptor per file, so that no inode number is used twice. */
  readonly #pins = new Map<bigint, number>()
  readonly #flushed = new Map<bigint, Buffer>()
  /** After a failed flush, what the next one can keep: the old content and what was written since. */
  readonly #suspect = new Map<bigint, Buffer>()
  readonly #entries = new Map<string, Entries>()
  readonly #suspectEntries = new Set<string>()
  readonly #original = { ...fs }
  readonly #restores: (() => void)[] = []

  install(): void {
    const { openSync, closeSync, writeSync, ftruncateSync, renameSync } = this.#original
    const { rmSync, unlinkSync, existsSync } = this.#original
    const replace = (name: string, replacement: unknown) => this.#replace(fs, name, replacement)
    replace('openSync', (file: string, flags?: string | number, mode?: number) => {
      if (flags === 'wx') this.#before(file)
      const descriptor = openSync(file, flags ?? 'r', mode)
      this.#paths.set(descriptor, file)
      this.#pin(file, descriptor)
      return descriptor
    })
    replace('closeSync', (descriptor: number) => {
      this.#paths.delete(descriptor)
      closeSync(descriptor)
    })
    replace('writeSync', (descriptor: number, data: Buffer | string, ...rest: number[]) => {
      const [start = 0, length = data.length - start, position] = rest
      if (typeof data === 'string') return writeSync(descriptor, data, ...rest)
      // A short write, of which the caller writes the rest: that one may fail.
      const isShort = length > 1 && this.#before(this.#paths.get(descriptor)) === 'short'
      const written = writeSync(descriptor, data, start, isShort ? length >> 1 : length, position)
      this.#rewriteSuspect(descriptor, data.subarray(start, start + written), position)
      return written
    })
    replace('ftruncateSync', (descriptor: number, length: number) => {
      this.#before(this.#paths.get(descriptor))
      ftruncateSync(descriptor, length)
      this.#cutSuspect(descriptor, length)
    })
    replace('renameSync', (from: string, to: string) => {
      this.#before(from)
      renameSync(from, to)
    })
    replace('unlinkSync', (file: string) => {
      this.#before(file)
      unlinkSync(file)
    })
    // The rmSync of some versions of Node calls unlinkSync.
    replace('rmSync', (file: string, options: RmOptions = {}) => {
      if (!this.#isOwn(file)) rmSync(file, options)
      else if (existsSync(file) || options.force !== true) fs.unlinkSync(file)
    })
    const flush = (descriptor: number) => this.#flush(this.#paths.get(descriptor) ?? '', descriptor)
    replace('fsyncSync', flush)
    replace('fdatasync', (descriptor: number, done: (error: unknown) => void) => {
      let failure: unknown = null
      try {
        flush(descriptor)
      } catch (error) {
        failure = error
      }
      process.nextTick(done, failure)
    })
    this.#installPromises(flush)
    // The idle timers of a storage belong to wall time; the simulation flushes by itself.
    const timer = { unref: () => timer, refresh: () => timer, ref: () => timer }
    this.#replace(globalThis, 'setTimeout', () => timer)
    this.#replace(globalThis, 'setInterval', () => timer)
    syncBuiltinESMExports()
  }

  remove(): void {
    for (const restore of this.#restores) restore()
    syncBuiltinESMExports()
  }

  /** Starts with an empty disk. */
  begin(root: string, random: Random): void {
    Object.assign(this, { root, random, faultEvery: 0, untilCrash: Infinity, hasCrashed: false })
    this.#forget()
  }

  /** Closes all files. */
  end(): void {
    this.restart(false)
    this.#forget()
  }

  /** Goes on after a crash: a power loss drops and tears what was not flushed. */
  restart(isPowerLoss: boolean): void {
    for (const descriptor of this.#paths.keys()) this.#original.closeSync(descriptor)
    this.#paths.clear()
    Object.assign(this, { faultEvery: 0, untilCrash: Infinity, hasCrashed: false })
    // The next process opens the folders anew.
    this.#suspectEntries.clear()
    if (isPowerLoss) this.#losePower()
  }

  #installPromises(flush: (descriptor: number) => void): void {
    const open = async (file: string, flags?: string, mode?: number) => {
      const fd = fs.openSync(file, flags ?? 'r', mode)
      return {
        fd,
        writeFile: async (data: Buffer | string) => this.#writeAll(fd, data),
        write: async (text: string, position: number) => fs.writeSync(fd, text, position),
        readFile: async () => fs.readFileSync(fd, 'utf8'),
        stat: async () => fs.fstatSync(fd),
        chmod: async (mode: number) => fs.fchmodSync(fd, mode),
        chown: async () => undefined,
        sync: async () => flush(fd),
        close: async () => fs.closeSync(fd),
      }
    }
    this.#replace(fs.promises, 'open', open)
    type Opened = Awaited<ReturnType<typeof open>>
    this.#replace(fs.promises, 'writeFile', (handle: Opened, data: Buffer) =>
      handle.writeFile(data),
    )
    for (const name of ['readlink', 'realpath', 'stat', 'rename', 'rm', 'readdir'] as const) {
      this.#replace(fs.promises, name, async (...args: unknown[]) => {
        const call = fs[`${name}Sync`] as (...args: unknown[]) => unknown
        return call(...args)
      })
    }
  }

  #writeAll(descriptor: number, data: Buffer | string): void {
    const bytes = Buffer.from(data as string)
    for (let done = 0; done < bytes.length;) {
      done += fs.writeSync(descriptor, bytes, done, bytes.length - done, done)
    }
  }

  /** Called before every change: crashes, or throws a fault. Locks have a simulation of their own. */
  #before(file: unknown): 'short' | undefined {
    if (!this.#isOwn(file)) return undefined
    if (this.hasCrashed) throw failureOf('ECRASHED')
    this.operations += 1
    this.untilCrash -= 1
    if (this.untilCrash <= 0) {
      this.hasCrashed = true
      throw failureOf('ECRASHED')
    }
    if (this.faultEvery === 0 || this.random?.below(this.faultEvery) !== 0) return undefined
    this.faults += 1
    if (this.random.below(3) === 0) return 'short'
    throw failureOf(this.random.of(['ENOSPC', 'EIO']))
  }

  #pin(file: string, descriptor: number): void {
    const { ino } = this.#original.fstatSync(descriptor, { bigint: true })
    if (this.#isOwn(file) && !this.#pins.has(ino)) {
      this.#pins.set(ino, this.#original.openSync(file, 'r'))
    }
  }

  #isOwn(file: unknown): file is string {
    return typeof file === 'string' && file.startsWith(this.root) && !file.includes('mem.lock')
  }

  #flush(file: string, descriptor: number): void {
    const { fstatSync, readFileSync } = this.#original
    const stats = fstatSync(descriptor, { bigint: true })
    try {
      if (this.#before(file) === 'short') throw failureOf('EIO')
    } catch (error) {
      if (!this.hasCrashed && stats.isDirectory()) this.#suspectChanges(file)
      else if (!this.hasCrashed) {
        this.#suspect.set(stats.ino, this.#flushed.get(stats.ino) ?? Buffer.alloc(0))
      }
      throw error
    }
    if (!this.#isOwn(file)) return
    if (stats.isDirectory()) this.#entries.set(file, this.#keptEntries(file))
    else this.#flushed.set(stats.ino, this.#suspect.get(stats.ino) ?? readFileSync(file))
  }

  #rewriteSuspect(descriptor: number, bytes: Buffer, position = 0): void {
    const { ino } = this.#original.fstatSync(descriptor, { bigint: true })
    const before = this.#suspect.get(ino)
    if (before === undefined) return
    const after = Buffer.alloc(Math.max(before.length, position + bytes.length))
    before.copy(after)
    bytes.copy(after, position)
    this.#suspect.set(ino, after)
  }

  #cutSuspect(descriptor: number, length: number): void {
    const { ino } = this.#original.fstatSync(descriptor, { bigint: true })
    const before = this.#suspect.get(ino)
    if (before !== undefined) this.#suspect.set(ino, before.subarray(0, length))
  }

  #suspectChanges(folder: string): void {
    const kept = this.#entries.get(folder)
    for (const [name, inode] of this.#currentEntries(folder)) {
      if (kept?.get(name) !== inode) this.#suspectEntries.add(`${folder}/${name} ${inode}`)
    }
  }

  /** The entries that a power loss after this flush of the folder keeps. */
  #keptEntries(folder: string): Entries {
    const before = this.#entries.get(folder) ?? new Map<string, bigint>()
    const kept: Entries = new Map()
    for (const [name, inode] of this.#currentEntries(folder)) {
      const isSuspect = this.#suspectEntries.has(`${folder}/${name} ${inode}`)
      const entry = isSuspect ? before.get(name) : inode
      if (entry !== undefined) kept.set(name, entry)
    }
    return kept
  }

  #currentEntries(folder: string): Entries {
    const { readdirSync, statSync } = this.#original
    const names = readdirSync(folder).filter((name) => !name.includes('mem.lock'))
    return new Map(
      names.sort().map((name) => [name, statSync(path.join(folder, name), { bigint: true }).ino]),
    )
  }

  #losePower(): void {
    const { readFileSync, unlinkSync, writeFileSync } = this.#original
    const folders = [this.root, path.join(this.root, 'channels')]
    const after = new Map<string, Buffer>()
    for (const folder of folders) {
      const current = this.#currentEntries(folder)
      const kept = this.#entries.get(folder) ?? new Map<string, bigint>()
      for (const name of new Set([...current.keys(), ...kept.keys()])) {
        // Temporary files have random names; the next start removes them.
        if (name === 'channels' || name.endsWith('.tmp')) continue
        const file = path.join(folder, name)
        const [now, flushed] = [current.get(name), kept.get(name)]
        const isNow = now === flushed || this.#isChance(2)
        const inode = isNow ? now : flushed
        if (inode === undefined) continue
        const cached = inode === now ? readFileSync(file) : undefined
        after.set(file, this.#afterLoss(cached, this.#flushed.get(inode)))
      }
      for (const name of current.keys()) {
        if (name !== 'channels') unlinkSync(path.join(folder, name))
      }
    }
    this.#forget()
    for (const [file, content] of after) {
      writeFileSync(file, content, { mode: 0o600 })
      this.#flushed.set(this.#original.statSync(file, { bigint: true }).ino, content)
    }
    for (const folder of folders) this.#entries.set(folder, this.#currentEntries(folder))
  }

  /** The content on the disk: as flushed, as written, or the first part written and the rest not. */
  #afterLoss(cached: Buffer | undefined, flushed: Buffer = Buffer.alloc(0)): Buffer {
    if (cached === undefined || cached.equals(flushed)) return flushed
    const written = this.random?.of([0, cached.length, this.random.below(cached.length + 1)]) ?? 0
    return Buffer.concat([cached.subarray(0, written), flushed.subarray(written)])
  }

  #isChance(of: number): boolean {
    return this.random?.below(of) === 0
  }

  #forget(): void {
    for (const descriptor of this.#pins.values()) this.#original.closeSync(descriptor)
    this.#pins.clear()
    this.#flushed.clear()
    this.#suspect.clear()
    this.#entries.clear()
    this.#suspectEntries.clear()
  }

  #replace(owner: object, name: string, replacement: unknown): void {
    const functions = owner as Record<string, unknown>
    const original = functions[name]
    functions[name] = replacement
    this.#restores.push(() => (functions[name] = original))
  }
}

function failureOf(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code })
}
