// The disk and the clocks of the lock simulation. Files are real; their modification times follow a virtual
// clock, so that a run depends on its seed only.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { systemClock } from '@zee/core/clock'

export interface Clocks {
  monotonicMs: number
  uptimeMs: number
  wallMs: number
}

/** Functions of Node that the simulation replaces while it runs. */
export class VirtualDisk {
  /** The clock of the disk. */
  nowMs = 1_800_000_000_000
  /** The clocks of the process that runs now. */
  clocks: Clocks = { monotonicMs: 0, uptimeMs: 0, wallMs: 0 }
  /** Whether the next touch of a lock is lost. */
  isTouchLost = false
  readonly #touched = new Map<bigint, number>()
  readonly #timers: (() => void)[] = []
  readonly #restores: (() => void)[] = []

  install(): void {
    const { fstatSync, writeSync, openSync } = fs
    this.#replace(fs, 'writeSync', (descriptor: number, text: string, position?: number) => {
      this.#touched.set(fstatSync(descriptor, { bigint: true }).ino, this.nowMs)
      return writeSync(descriptor, text, position)
    })
    this.#replace(fs, 'fstatSync', (descriptor: number, options?: { bigint: true }) => {
      const stats = fstatSync(descriptor, { bigint: true })
      const ms = this.#touched.get(stats.ino) ?? this.nowMs
      return options?.bigint === true
        ? Object.assign(stats, { mtimeNs: BigInt(ms) * 1_000_000n })
        : Object.assign(fstatSync(descriptor), { mtimeMs: ms })
    })
    this.#replace(fs, 'openSync', (file: string, flags: number | string, mode?: number) => {
      if (this.isTouchLost) throw Object.assign(new Error('lost'), { code: 'EIO' })
      return openSync(file, flags, mode)
    })
    this.#replace(globalThis, 'setInterval', (work: () => void) => {
      this.#timers.push(work)
      return { unref: () => undefined }
    })
    this.#replace(systemClock, 'monotonicMs', () => this.clocks.monotonicMs)
    this.#replace(systemClock, 'uptimeMs', () => this.clocks.uptimeMs)
    this.#replace(systemClock, 'now', () => new Date(this.clocks.wallMs))
    syncBuiltinESMExports()
  }

  /** The repeated work that was started since the last call. */
  takeTimer(): (() => void) | undefined {
    return this.#timers.splice(0).at(-1)
  }

  remove(): void {
    for (const restore of this.#restores) restore()
    syncBuiltinESMExports()
  }

  #replace(owner: object, name: string, replacement: unknown): void {
    const functions = owner as Record<string, unknown>
    const original = functions[name]
    functions[name] = replacement
    this.#restores.push(() => (functions[name] = original))
  }
}
