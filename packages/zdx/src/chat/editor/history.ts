// The line history of the chat, stored across runs in a file of mode 0600, one entry per line.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'

export const maxHistoryLines = 1000
/** Longer entries, such as large pastes, are not stored. */
const maxEntryLength = 10_000

/** Stands for a line break in the file. */
const lineBreak = '\u2424'

/** The latest entries, newest first. A file of more than twice the limit is truncated. */
export function loadHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const latest = lines.slice(-maxHistoryLines)
    if (lines.length > 2 * maxHistoryLines) {
      writeFileSync(file, `${latest.join('\n')}\n`, { mode: 0o600 })
    }
    return latest.reverse().map((line) => line.replaceAll(lineBreak, '\n'))
  } catch {
    return []
  }
}

export function appendHistory(file: string, entry: string): void {
  if (entry.length > maxEntryLength) return
  try {
    ensureFolder(path.dirname(file), 0o700)
    appendFileSync(file, `${entry.replaceAll('\n', lineBreak)}\n`, { mode: 0o600 })
  } catch {
    // Best effort: the chat works without a history.
  }
}

/** The entries with a position that Up and Down move; position 0 is the text being typed. */
export class History {
  readonly #entries: string[]
  #position = 0
  #typed = ''

  constructor(entries: readonly string[]) {
    this.#entries = [...entries]
  }

  add(entry: string): void {
    const before = this.#entries.indexOf(entry)
    if (before !== -1) this.#entries.splice(before, 1)
    this.#entries.unshift(entry)
    if (this.#entries.length > maxHistoryLines) this.#entries.pop()
    this.#position = 0
  }

  /** The entry `step` places older (1) or newer (-1), or undefined if there is none. */
  move(step: 1 | -1, current: string): string | undefined {
    const next = this.#position + step
    if (next < 0 || next > this.#entries.length) return undefined
    if (this.#position === 0) this.#typed = current
    this.#position = next
    return next === 0 ? this.#typed : this.#entries[next - 1]
  }

  /** The `skip`-th newest entry that contains the text, ignoring case. */
  search(text: string, skip: number): string | undefined {
    const needle = text.toLowerCase()
    let left = skip
    for (const entry of this.#entries) {
      if (!entry.toLowerCase().includes(needle)) continue
      if (left === 0) return entry
      left -= 1
    }
    return undefined
  }
}
