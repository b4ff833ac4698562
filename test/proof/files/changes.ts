// Logs what each operation changed on the disk, by inode, together with the starts of children.
// `power/` replays this log to build the states that a power loss may leave.
import type * as FileSystem from 'node:fs'
import path from 'node:path'
import type { Operation } from './operations.ts'

type Fs = typeof FileSystem

/** One change, or an event that the order of changes is compared with. */
export type Change =
  | { change: 'make'; path: string; inode: number; isFolder?: true; target?: string }
  | { change: 'write'; inode: number; offset: number; data: string }
  | { change: 'resize'; inode: number; size: number }
  | { change: 'sync'; inode: number }
  | { change: 'rename'; path: string; to: string }
  | { change: 'link'; path: string; to: string; inode: number }
  | { change: 'unlink'; path: string }
  /** A child process was started. */
  | { change: 'start' }
  /** The harness received an acknowledgement. */
  | { change: 'acknowledged'; what: string }

interface Before {
  /** The file existed. */
  exists: boolean
  /** Folders that a recursive `mkdir` creates, outermost first. */
  missing: string[]
  size: number
  /** Files and folders below a path that `rm` removes, innermost first. */
  below: string[]
}

export class ChangeLog {
  readonly #fs: Fs
  readonly #write: (change: Change) => void
  /** Offsets of descriptors that are written in sequence. */
  readonly #positions = new Map<number, number>()

  constructor(fs: Fs, write: (change: Change) => void) {
    this.#fs = fs
    this.#write = write
  }

  before(operation: Operation, args: readonly unknown[]): Before {
    const file = operation.to ?? operation.path
    const stats = this.#fs.lstatSync(file, { throwIfNoEntry: false })
    const descriptor = descriptorOf(args[0])
    const size = descriptor === undefined ? (stats?.size ?? 0) : this.#fs.fstatSync(descriptor).size
    const below = operation.name === 'rm' && stats !== undefined ? this.#below(operation.path) : []
    const missing = operation.name === 'mkdir' ? this.#missing(operation.path) : []
    return { exists: stats !== undefined, missing, size, below }
  }

  after(operation: Operation, args: readonly unknown[], result: unknown, before?: Before): void {
    if (before === undefined) return
    const { name, path: file, to = '' } = operation
    const descriptor = descriptorOf(args[0])
    if (name === 'open') this.#afterOpen(operation, args, result, before)
    else if (name === 'mkdir') {
      for (const each of before.missing) this.#made(each)
    } else if (name === 'rename') this.#write({ change: 'rename', path: file, to })
    else if (name === 'link') {
      this.#write({ change: 'link', path: file, to, inode: this.#inode(to) })
    } else if (name === 'symlink') this.#made(to, String(args[0]))
    else if (name === 'unlink' || name === 'rmdir') this.#write({ change: 'unlink', path: file })
    else if (name === 'rm')
      for (const each of before.below) this.#write({ change: 'unlink', path: each })
    else if (name === 'copyFile') {
      if (!before.exists) this.#made(to)
      this.#whole(to)
    } else if (operation.kind === 'sync') {
      this.#write({ change: 'sync', inode: this.#inode(descriptor ?? file) })
    } else if (operation.kind === 'resize') {
      const inode = this.#inode(descriptor ?? file)
      const size = this.#fs.statSync(`/proc/self/fd/${descriptor ?? ''}`, {
        throwIfNoEntry: false,
      })?.size
      this.#write({ change: 'resize', inode, size: size ?? this.#fs.statSync(file).size })
    } else if (operation.kind === 'write') this.#afterWrite(operation, args, result, before)
  }

  /** The start of a child is an effect: its record must be on the disk before. */
  watchStarts(): void {
    const children = process.getBuiltinModule('node:child_process') as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >
    for (const name of ['spawn', 'spawnSync']) {
      const original = children[name]
      children[name] = (...args) => {
        this.#write({ change: 'start' })
        return original?.(...args)
      }
    }
  }

  #afterOpen(
    operation: Operation,
    args: readonly unknown[],
    result: unknown,
    before: Before,
  ): void {
    const descriptor = typeof result === 'number' ? result : (result as { fd: number }).fd
    if (!before.exists && operation.kind === 'create') this.#made(operation.path)
    const flags = args[1]
    const truncates =
      typeof flags === 'string'
        ? flags.startsWith('w')
        : (Number(flags) & this.#fs.constants.O_TRUNC) > 0
    if (truncates && before.exists) {
      this.#write({ change: 'resize', inode: this.#inode(descriptor), size: 0 })
    }
    const appends =
      typeof flags === 'string'
        ? flags.startsWith('a')
        : (Number(flags) & this.#fs.constants.O_APPEND) > 0
    this.#positions.set(descriptor, appends ? -1 : 0)
  }

  #afterWrite(
    operation: Operation,
    args: readonly unknown[],
    result: unknown,
    before: Before,
  ): void {
    const descriptor = descriptorOf(args[0])
    if (descriptor === undefined) {
      if (!before.exists) this.#made(operation.path)
      this.#whole(operation.path)
      return
    }
    const inode = this.#inode(descriptor)
    if (operation.name === 'writeFile' || operation.name === 'appendFile') {
      this.#whole(`/proc/self/fd/${descriptor}`)
      return
    }
    const written =
      typeof result === 'number' ? result : (result as { bytesWritten: number }).bytesWritten
    const bytes = bytesOf(args).subarray(0, written)
    const given = typeof args[1] === 'string' ? args[2] : args[4]
    const known = this.#positions.get(descriptor) ?? 0
    const offset = typeof given === 'number' ? given : known === -1 ? before.size : known
    if (typeof given !== 'number' && known !== -1) this.#positions.set(descriptor, offset + written)
    this.#write({ change: 'write', inode, offset, data: bytes.toString('base64') })
  }

  /** A file was created: logs its folder entry. */
  #made(file: string, target?: string): void {
    const stats = this.#fs.lstatSync(file)
    this.#write({
      change: 'make',
      path: file,
      inode: stats.ino,
      ...(stats.isDirectory() && { isFolder: true }),
      ...(target !== undefined && { target }),
    })
  }

  /** A file was rewritten: logs its whole content. */
  #whole(file: string): void {
    const inode = this.#fs.statSync(file).ino
    const data = this.#fs.readFileSync(file).toString('base64')
    this.#write({ change: 'resize', inode, size: 0 })
    this.#write({ change: 'write', inode, offset: 0, data })
  }

  #inode(file: number | string): number {
    return typeof file === 'number' ? this.#fs.fstatSync(file).ino : this.#fs.lstatSync(file).ino
  }

  #missing(folder: string): string[] {
    if (this.#fs.existsSync(folder)) return []
    return [...this.#missing(path.dirname(folder)), folder]
  }

  #below(file: string): string[] {
    if (!this.#fs.lstatSync(file).isDirectory()) return [file]
    const inner = this.#fs.readdirSync(file).flatMap((name) => this.#below(`${file}/${name}`))
    return [...inner, file]
  }
}

function descriptorOf(subject: unknown): number | undefined {
  if (typeof subject === 'number') return subject
  return typeof subject === 'object' && subject !== null && 'fd' in subject
    ? (subject as { fd: number }).fd
    : undefined
}

function bytesOf(args: readonly unknown[]): Buffer {
  const [, data, offset, length] = args
  if (typeof data === 'string') return Buffer.from(data)
  if (Array.isArray(data)) return Buffer.concat(data as Uint8Array[])
  const bytes = Buffer.from(data as Uint8Array)
  const start = typeof offset === 'number' ? offset : 0
  return bytes.subarray(start, typeof length === 'number' ? start + length : undefined)
}
