// Counts the tokens of a UTC day over all routes and refuses requests above the daily limit.
// With a file the count survives a restart.
import { readFileSync } from 'node:fs'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import type { Clock } from '@zee/core/clock'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { isMessage } from '../../wire/wire.ts'

export interface DailyTokensOptions {
  /** 0 means no limit. */
  ceiling: number
  /** Empty means in memory only. */
  file: string
  clock: Clock
  log: Logger
}

/** Debounce of saves; a crash loses at most the counts of this period. */
const saveAfterMs = 500

export class DailyTokens {
  readonly #options: DailyTokensOptions
  #day = ''
  #used = 0
  #saving: Promise<void> = Promise.resolve()
  /** Set while a save is pending. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: DailyTokensOptions) {
    this.#options = options
    this.#load()
  }

  get used(): number {
    this.#turnDay()
    return this.#used
  }

  get ceiling(): number {
    return this.#options.ceiling
  }

  /** Throws when the daily limit is reached. */
  check(): void {
    const { ceiling } = this.#options
    if (ceiling === 0 || this.used < ceiling) return
    throw new ZeeError(
      'daily_tokens',
      `the ceiling of ${ceiling} tokens a day is reached (${this.#used} used on ${this.#day} UTC): ` +
        'wait for the next day or raise [rtr] daily_tokens',
    )
  }

  add(tokens: number): void {
    this.#turnDay()
    this.#used += tokens
    if (this.#options.file !== '') this.#timer ??= setTimeout(() => void this.save(), saveAfterMs)
  }

  /** Writes a pending count; resolves even if the write fails (logged as a warning). */
  save(): Promise<void> {
    if (this.#timer === undefined) return this.#saving
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { file, log } = this.#options
    const state = { day: this.#day, tokens: this.#used }
    this.#saving = this.#saving
      .then(() => writeJsonAtomic(file, state, { mode: 0o600, durable: false }))
      .catch((error: unknown) => log.warn(`token count not saved: ${reasonOf(error)}`))
    return this.#saving
  }

  #turnDay(): void {
    const today = this.#options.clock.now().toISOString().slice(0, 10)
    if (today === this.#day) return
    this.#day = today
    this.#used = 0
  }

  #load(): void {
    const { file, log } = this.#options
    this.#turnDay()
    if (file === '') return
    try {
      const state: unknown = JSON.parse(readFileSync(file, 'utf8'))
      if (!isMessage(state) || state.day !== this.#day) return
      if (typeof state.tokens === 'number' && state.tokens > 0) this.#used = state.tokens
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') log.warn(`token count not read: ${reasonOf(error)}`)
    }
  }
}
