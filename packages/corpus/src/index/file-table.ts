// The state of each file of the tree, by file id. Columns instead of objects, because there may be a million
// files. Ids of removed files are reused.
import type { Folder } from './folder.ts'

/** `other` is listed but never opened. */
export const FileKind = { file: 0, link: 1, other: 2 } as const

export const FileFlag = {
  /** The columns are valid: size, times, characters and signature are those of the file. */
  known: 1,
  /** Too large for the index; searched on the disk. */
  large: 2,
  unreadable: 4,
  /** Has several names, so it can change under a path that is not watched. */
  hardLinked: 8,
  /** Modified within the last clock tick before it was read: another change may not show in its times. */
  racy: 16,
  /** A link to a folder; neither followed nor listed. */
  toFolder: 32,
  /** No character beyond ASCII has an ASCII lower case. */
  plainCase: 64,
  ascii: 128,
} as const

export const nowhere = -1

/** Columns by file id. */
interface KnownColumns {
  kinds: Uint8Array
  flags: Uint8Array
  sizes: Float64Array
  chars: Float64Array
  lengths: Uint32Array
  blocks: Int32Array
  places: Uint16Array
  modified: BigInt64Array
  changed: BigInt64Array
  inodes: BigInt64Array
}

export class FileTable {
  names: string[] = []
  folders: (Folder | undefined)[] = []
  kinds = new Uint8Array(0)
  flags = new Uint8Array(0)
  sizes = new Float64Array(0)
  chars = new Float64Array(0)
  /** Address of the cached content or `nowhere`, its length, and the allocated bytes. */
  contents = new Float64Array(0)
  lengths = new Uint32Array(0)
  capacities = new Uint32Array(0)
  /** Block of the signature or `nowhere`, and the column in it. */
  blocks = new Int32Array(0)
  columns = new Uint16Array(0)
  modified = new BigInt64Array(0)
  changed = new BigInt64Array(0)
  inodes = new BigInt64Array(0)
  /** Incremented when the file is invalidated. */
  generations = new Uint32Array(0)
  /** Number of files. */
  count = 0
  readonly #free: number[] = []

  /** Fills an empty table from a snapshot. */
  adopt(names: string[], folders: Folder[], known: KnownColumns): void {
    this.names = names
    this.folders = folders
    this.count = names.length
    this.#grow(names.length)
    this.kinds.set(known.kinds)
    this.flags.set(known.flags)
    this.sizes.set(known.sizes)
    this.chars.set(known.chars)
    this.contents.fill(nowhere)
    this.lengths.set(known.lengths)
    this.blocks.fill(nowhere)
    this.blocks.set(known.blocks)
    this.columns.set(known.places)
    this.modified.set(known.modified)
    this.changed.set(known.changed)
    this.inodes.set(known.inodes)
  }

  add(folder: Folder, name: string, kind: number): number {
    const id = this.#free.pop() ?? this.names.length
    if (id >= this.kinds.length) this.#grow()
    this.names[id] = name
    this.folders[id] = folder
    this.kinds[id] = kind
    this.forget(id)
    this.count++
    return id
  }

  remove(id: number): void {
    this.forget(id)
    this.names[id] = ''
    this.folders[id] = undefined
    this.count--
    this.#free.push(id)
  }

  /** Clears the columns of a file. The caller must release its content first. */
  forget(id: number): void {
    this.flags[id] = 0
    this.sizes[id] = 0
    this.chars[id] = 0
    this.contents[id] = nowhere
    this.lengths[id] = 0
    this.blocks[id] = nowhere
    this.generations[id] = ((this.generations[id] as number) + 1) >>> 0
  }

  path(id: number): string {
    return (this.folders[id]?.prefix ?? '') + (this.names[id] as string)
  }

  has(id: number, flag: number): boolean {
    return ((this.flags[id] as number) & flag) !== 0
  }

  #grow(minSize = 1024): void {
    const size = Math.max(minSize, this.kinds.length * 2)
    this.kinds = grown(this.kinds, new Uint8Array(size))
    this.flags = grown(this.flags, new Uint8Array(size))
    this.sizes = grown(this.sizes, new Float64Array(size))
    this.chars = grown(this.chars, new Float64Array(size))
    this.contents = grown(this.contents, new Float64Array(size))
    this.lengths = grown(this.lengths, new Uint32Array(size))
    this.capacities = grown(this.capacities, new Uint32Array(size))
    this.blocks = grown(this.blocks, new Int32Array(size))
    this.columns = grown(this.columns, new Uint16Array(size))
    this.modified = grown(this.modified, new BigInt64Array(size))
    this.changed = grown(this.changed, new BigInt64Array(size))
    this.inodes = grown(this.inodes, new BigInt64Array(size))
    this.generations = grown(this.generations, new Uint32Array(size))
  }
}

function grown<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from)
  return to
}
