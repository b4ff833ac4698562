// Remembers files as they were written here last, so that a change by others is noticed.
import type { Stats } from 'node:fs'

type Identity = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>

const maxFiles = 10_000

export class FileIdentities {
  readonly #files = new Map<string, Identity>()

  add(file: string, { ino, size, mtimeMs }: Identity): void {
    this.#files.delete(file)
    this.#files.set(file, { ino, size, mtimeMs })
    if (this.#files.size <= maxFiles) return
    for (const oldest of this.#files.keys()) {
      this.#files.delete(oldest)
      break
    }
  }

  has(file: string, { ino, size, mtimeMs }: Identity): boolean {
    const known = this.#files.get(file)
    return known?.ino === ino && known.size === size && known.mtimeMs === mtimeMs
  }

  forget(file: string): void {
    this.#files.delete(file)
  }
}
