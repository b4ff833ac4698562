// One run of the storage simulation: appends to channel files, removals and checkpoints of zino's memory
// service, with failing writes and flushes, kills and power losses. After each restart every list is
// readable, holds all acknowledged elements in order and none that was refused.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type {
  Storage,
  StorageOptions,
} from '../../../packages/zino/src/services/memory/storage/storage.ts'
import type { Random } from '../../long/random.ts'
import type { FailingDisk } from './failing-disk.ts'

export interface StorageFunctions {
  makeDataFolder(folder: string): void
  openStorage(options: StorageOptions): Promise<Storage>
  isUncertain(error: unknown): boolean
}

type Outcome = 'acknowledged' | 'refused' | 'unknown'

/** One append of one or more elements with consecutive numbers. */
interface Append {
  numbers: number[]
  outcome: Outcome
}

/** The appends to a file, with their outcomes. */
interface Expected {
  appends: Append[]
  /** A removal of everything before this index has an unknown outcome. */
  mayLackBefore: number
  /** What the list held when it was last read. */
  held: ReadonlySet<number>
}

const files = ['channels/a.json', 'channels/b.json', 'hard_memories.json']
const lives = 4
const steps = 12
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger

export class StorageSimulation {
  acknowledged = 0
  crashes = 0
  readonly #disk: FailingDisk
  readonly #random: Random
  readonly #functions: StorageFunctions
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'zee-storage-simulation-'))
  readonly #expected = new Map<string, Expected>()
  #lastNumber = 0

  constructor(disk: FailingDisk, random: Random, functions: StorageFunctions) {
    this.#disk = disk
    this.#random = random
    this.#functions = functions
    for (const file of files)
      this.#expected.set(file, { appends: [], mayLackBefore: 0, held: new Set() })
  }

  /** Runs all lives; returns what is wrong, or undefined. */
  async run(): Promise<string | undefined> {
    const folder = path.join(this.#folder, 'data')
    try {
      this.#functions.makeDataFolder(folder)
      this.#disk.begin(folder, this.#random)
      for (let life = 0; life < lives; life += 1) {
        const wrong = await this.#live(folder)
        if (wrong !== undefined) return `life ${life}: ${wrong}`
      }
      return undefined
    } finally {
      this.#disk.end()
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  /** From a start to a crash; the start itself may crash in its replay. */
  async #live(folder: string): Promise<string | undefined> {
    this.#disk.faultEvery = 0
    if (this.#random.below(4) === 0) {
      this.#disk.untilCrash = 1 + this.#random.below(8)
      const early = await this.#open(folder).catch(() => undefined)
      await early?.close().catch(() => undefined)
      this.#crash(folder)
    }
    const storage = await this.#open(folder)
    const wrong = await this.#check(storage)
    this.#settle()
    if (wrong !== undefined) return `after the start: ${wrong}`
    this.#disk.faultEvery = this.#random.of([0, 40, 10])
    this.#disk.untilCrash = 1 + this.#random.below(120)
    for (let step = 0; step < steps && !this.#disk.hasCrashed; step += 1) {
      await this.#step(storage)
    }
    const unread = this.#disk.hasCrashed ? undefined : await this.#check(storage)
    this.#disk.hasCrashed = true
    await storage.close().catch(() => undefined)
    this.#crash(folder)
    return unread === undefined ? undefined : `while it runs: ${unread}`
  }

  #open(folder: string): Promise<Storage> {
    const { signal } = new AbortController()
    return this.#functions.openStorage({ folder, log: silent, signal })
  }

  #crash(folder: string): void {
    this.crashes += 1
    rmSync(path.join(folder, 'mem.lock'), { force: true })
    this.#disk.restart(this.#random.below(3) > 0)
  }

  async #step({ lists }: Storage): Promise<void> {
    const kind = this.#random.below(10)
    const file = this.#random.of(files)
    if (kind === 0) await this.#remove(lists, file)
    else if (kind < 3) await lists.checkpoint().catch(() => undefined)
    else {
      const count = 1 + this.#random.below(4)
      const targets = Array.from({ length: count }, () => this.#random.of(files))
      await Promise.all(targets.map((target) => this.#append(lists, target)))
    }
  }

  async #append(lists: Storage['lists'], file: string): Promise<void> {
    const length = 1 + this.#random.below(3)
    const numbers = Array.from({ length }, () => (this.#lastNumber += 1))
    const append: Append = { numbers, outcome: 'unknown' }
    this.#expected.get(file)?.appends.push(append)
    // Above 64 KiB the file is replaced instead of written in place.
    const padding = this.#random.of([0, 10, 300, 5000, 70_000])
    const texts = numbers.map((number) => JSON.stringify({ number, padding: 'x'.repeat(padding) }))
    append.outcome = await this.#outcomeOf(lists.append(file, texts))
    if (append.outcome === 'acknowledged') this.acknowledged += 1
  }

  async #remove(lists: Storage['lists'], file: string): Promise<void> {
    const expected = this.#expected.get(file) as Expected
    const outcome = await this.#outcomeOf(lists.remove(file))
    if (outcome === 'acknowledged') {
      for (const append of expected.appends) append.outcome = 'refused'
    }
    if (outcome === 'unknown') expected.mayLackBefore = expected.appends.length
  }

  async #outcomeOf(work: Promise<unknown>): Promise<Outcome> {
    try {
      await work
      return 'acknowledged'
    } catch (error) {
      const isUncertain =
        this.#functions.isUncertain(error) || (error as ZeeError).code === 'may_not_be_recorded'
      const isUnknown = this.#disk.hasCrashed || isUncertain
      return isUnknown ? 'unknown' : 'refused'
    }
  }

  /** Reads every list. */
  async #check({ lists }: Storage): Promise<string | undefined> {
    for (const file of files) {
      let held: number[]
      try {
        held = (await lists.all(file)).map((element) => (element as { number: number }).number)
      } catch (error) {
        if (this.#disk.hasCrashed) return undefined
        return `${file} is not readable: ${String(error)}`
      }
      const wrong = this.#judge(this.#expected.get(file) as Expected, held)
      if (wrong !== undefined) return `${file}: ${wrong}; it holds ${held.join(' ')}`
    }
    return undefined
  }

  #judge(expected: Expected, held: readonly number[]): string | undefined {
    const known = new Set(held)
    const before = expected.appends.slice(0, expected.mayLackBefore)
    const isRemoved = before.every(({ numbers }) => !numbers.some((number) => known.has(number)))
    for (const [index, { numbers, outcome }] of expected.appends.entries()) {
      const count = numbers.filter((number) => known.has(number)).length
      if (count > 0 && count < numbers.length) return `only a part of ${numbers.join(' ')}`
      if (outcome === 'refused' && count > 0) return `${numbers.join(' ')} was refused or removed`
      const mayLack = index < expected.mayLackBefore && isRemoved
      if (outcome === 'acknowledged' && count === 0 && !mayLack) return `lost ${numbers.join(' ')}`
    }
    if (held.some((number, at) => at > 0 && number <= (held[at - 1] as number))) return 'the order'
    expected.held = known
    return undefined
  }

  /** After a start everything is on the disk: unknown outcomes are what the lists hold. */
  #settle(): void {
    for (const expected of this.#expected.values()) {
      for (const append of expected.appends) {
        const isHeld = expected.held.has(append.numbers[0] as number)
        append.outcome = isHeld ? 'acknowledged' : 'refused'
      }
      expected.mayLackBefore = 0
    }
  }
}
