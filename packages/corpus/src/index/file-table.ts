// What is known of each file of the tree, by its number: columns instead of objects, because there may be a
// million. Numbers of files that are gone are given out again.
import type { Folder } from './folder.ts'

/** A regular file; a link; anything else that is listed and never opened. */
export const FileKind = { file: 0, link: 1, other: 2 } as const

export const FileFlag = {
  /** The columns below hold: size, times, characters and signature are those of the file. */
  known: 1,
  /** Larger than an index looks into; searched from the disk. */
  large: 2,
  /** Could not be opened or read. */
  unreadable: 4,
  /** May be changed under another name. */
  hardLinked: 8,
  /** Written so shortly before it was read that its times may stay as they are when it is changed again. */
  racy: 16,
  /** A link to a folder, which is neither entered nor listed. */
  toFolder: 32,
  /** Whatever becomes an ASCII letter in lower case is one. */
  plainCase: 64,
  /** No byte is beyond ASCII. */
  ascii: 128,
} as const

export const nowhere = -1

/** Columns by the numbers of files. */
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
  /** Where the content is kept, or NOWHERE, how many bytes it has, and for how many there is room. */
  contents = new Float64Array(0)
  lengths = new Uint32Array(0)
  rooms = new Uint32Array(0)
  /** Number of the signature's block, or NOWHERE, and the column in it. */
  blocks = new Int32Array(0)
  columns = new Uint16Array(0)
  modified = new BigInt64Array(0)
  changed = new BigInt64Array(0)
  inodes = new BigInt64Array(0)
  /** Goes up whenever what is known is not true any more. */
  generations = new Uint32Array(0)
  /** How many files there are. */
  count = 0
  readonly #free: number[] = []

  /** Begins with files that are known from elsewhere; the columns of an empty table are replaced. */
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

  /** What is kept of the content is the caller's to give back first. */
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

  #grow(least = 1024): void {
    const size = Math.max(least, this.kinds.length * 2)
    this.kinds = grown(this.kinds, new Uint8Array(size))
    this.flags = grown(this.flags, new Uint8Array(size))
    this.sizes = grown(this.sizes, new Float64Array(size))
    this.chars = grown(this.chars, new Float64Array(size))
    this.contents = grown(this.contents, new Float64Array(size))
    this.lengths = grown(this.lengths, new Uint32Array(size))
    this.rooms = grown(this.rooms, new Uint32Array(size))
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
