// Records inode, size and mtime of files after our own writes, to detect changes by other programs.
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
    const recorded = this.#files.get(file)
    return recorded?.ino === ino && recorded.size === size && recorded.mtimeMs === mtimeMs
  }

  forget(file: string): void {
    this.#files.delete(file)
  }
}
