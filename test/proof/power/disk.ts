// A disk in memory: what a folder contains after a part of the logged changes.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Change } from '../files/changes.ts'

interface Inode {
  mode: number
  isFolder: boolean
  /** Of a symbolic link. */
  target: string | undefined
  data: Buffer
}

/** A change with the identity of its inode: numbers of the kernel are used again after a removal. */
export interface DiskEvent {
  change: Change
  /** Identity of the inode that is written, synced or named. */
  inode: string
  /** Folders whose entries change. */
  folders: string[]
}

/** How much of one change is on the disk. */
export type Extent = 'all' | 'half' | 'zeros'

export class Disk {
  readonly #inodes = new Map<string, Inode>()
  readonly #entries = new Map<string, string>()

  /** Reads the files below a folder; also returns the identity of every kernel inode. */
  static read(root: string): { disk: Disk; identities: Map<number, string> } {
    const disk = new Disk()
    const identities = new Map<number, string>()
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    for (const file of [root, ...names.map((name) => path.join(root, name))]) {
      const stats = lstatSync(file)
      if (stats.isSocket()) continue
      identities.set(stats.ino, `before:${stats.ino}`)
      disk.#entries.set(file, `before:${stats.ino}`)
      disk.#inodes.set(`before:${stats.ino}`, {
        mode: stats.mode & 0o7777,
        isFolder: stats.isDirectory(),
        target: stats.isSymbolicLink() ? readlinkSync(file) : undefined,
        data: stats.isFile() ? readFileSync(file) : Buffer.alloc(0),
      })
    }
    return { disk, identities }
  }

  copy(): Disk {
    const copy = new Disk()
    for (const [id, inode] of this.#inodes) copy.#inodes.set(id, { ...inode })
    for (const [file, id] of this.#entries) copy.#entries.set(file, id)
    return copy
  }

  size(inode: string): number {
    return this.#inodes.get(inode)?.data.length ?? 0
  }

  inodeAt(file: string): string | undefined {
    return this.#entries.get(file)
  }

  pathOf(inode: string): string | undefined {
    return [...this.#entries].find(([, id]) => id === inode)?.[0]
  }

  /** Applies data and sizes to the inode, and names to the entries. */
  apply({ change, inode: id }: DiskEvent, extent: Extent = 'all'): void {
    const inode = this.#inode(id)
    if (change.change === 'write') {
      const whole = Buffer.from(change.data, 'base64')
      const data = extent === 'half' ? whole.subarray(0, whole.length >> 1) : whole
      const bytes = Buffer.alloc(Math.max(inode.data.length, change.offset + data.length))
      inode.data.copy(bytes)
      if (extent === 'zeros') bytes.fill(0, change.offset, change.offset + data.length)
      else data.copy(bytes, change.offset)
      inode.data = bytes
    } else if (change.change === 'resize') {
      const bytes = Buffer.alloc(change.size)
      inode.data.copy(bytes)
      inode.data = bytes
    } else if (change.change === 'make') {
      inode.isFolder = change.isFolder === true
      inode.target = change.target
      this.#entries.set(change.path, id)
    } else if (change.change === 'link') this.#entries.set(change.to, id)
    else if (change.change === 'rename') this.#rename(change.path, change.to, id)
    else if (change.change === 'unlink') this.#entries.delete(change.path)
  }

  /** Writes the files that can be reached from the root. */
  store(root: string): void {
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root)
    for (const [file, id] of [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const inode = this.#inodes.get(id)
      if (inode === undefined || file === root || !this.#isReachable(root, file)) continue
      if (inode.target !== undefined) symlinkSync(inode.target, file)
      else if (inode.isFolder) mkdirSync(file, { mode: 0o700 })
      else writeFileSync(file, inode.data)
      if (inode.target === undefined) chmodSync(file, inode.mode | 0o600)
    }
  }

  /** Identifies the stored content. */
  hash(): string {
    const hash = createHash('sha256')
    for (const [file, id] of [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const inode = this.#inodes.get(id)
      hash.update(`${file}\0${inode?.target ?? ''}\0${inode?.data.length ?? 0}\0`)
      hash.update(inode?.data ?? '')
    }
    return hash.digest('hex')
  }

  #inode(id: string): Inode {
    let inode = this.#inodes.get(id)
    if (inode === undefined) {
      inode = { mode: 0o644, isFolder: false, target: undefined, data: Buffer.alloc(0) }
      this.#inodes.set(id, inode)
    }
    return inode
  }

  /** A folder takes the entries below it along. */
  #rename(from: string, to: string, id: string): void {
    this.#entries.set(to, id)
    if (this.#entries.get(from) === id) this.#entries.delete(from)
    for (const [file, inner] of [...this.#entries]) {
      if (!file.startsWith(`${from}/`)) continue
      this.#entries.delete(file)
      this.#entries.set(to + file.slice(from.length), inner)
    }
  }

  #isReachable(root: string, file: string): boolean {
    const parent = path.dirname(file)
    if (parent === root) return true
    const id = this.#entries.get(parent)
    return (
      id !== undefined && this.#inodes.get(id)?.isFolder === true && this.#isReachable(root, parent)
    )
  }
}
