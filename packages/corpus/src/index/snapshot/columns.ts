// What a snapshot holds of a tree, as columns of numbers and texts that lie one behind the other in one piece of
// memory: threads share it, and a file is written and read without taking it apart.

/** Wide columns first, so that each begins where its numbers may. */
const columnTypes = {
  /** Number on the disk, device, time of the last change. */
  folderMarks: BigInt64Array,
  modified: BigInt64Array,
  changed: BigInt64Array,
  inodes: BigInt64Array,
  sizes: Float64Array,
  chars: Float64Array,
  /** Folder by folder, in order: a file, or `-1 - folder`. */
  entries: Int32Array,
  /** Where a folder's entries begin; one more than there are folders. */
  firstEntries: Int32Array,
  lengths: Uint32Array,
  blocks: Int32Array,
  places: Uint16Array,
  kinds: Uint8Array,
  flags: Uint8Array,
  folderStates: Uint8Array,
  blockSizes: Uint8Array,
  /** Texts, each with a zero behind it. */
  names: Uint8Array,
  folderNames: Uint8Array,
  folderAccess: Uint8Array,
} as const

type ColumnName = keyof typeof columnTypes

export type Columns = { [Name in ColumnName]: InstanceType<(typeof columnTypes)[Name]> }

/** How many numbers, or bytes, each has. */
export type ColumnLengths = Record<ColumnName, number>

/** What a folder was when the snapshot was made. */
export const FolderState = {
  /** Not read. */
  unread: 0,
  read: 1,
  /** Read so shortly after a change, or with such names, that it has to be read again. */
  racy: 2,
} as const

const alignment = 64

export function columnsBytes(lengths: ColumnLengths): number {
  return places(lengths).bytes
}

/** The columns in a piece of memory of `columnsBytes`. */
export function columnsIn(memory: SharedArrayBuffer, lengths: ColumnLengths): Columns {
  const { at } = places(lengths)
  // The compiler knows columns of memory that is not shared only; they are used alike.
  const buffer = memory as unknown as ArrayBuffer
  return Object.fromEntries(
    columnNames().map((name) => [
      name,
      new columnTypes[name](buffer, at.get(name) as number, lengths[name]),
    ]),
  ) as unknown as Columns
}

/** Whether these can be lengths of columns. */
export function areLengths(value: unknown): value is ColumnLengths {
  if (typeof value !== 'object' || value === null) return false
  const lengths = value as Partial<Record<ColumnName, unknown>>
  return columnNames().every((name) => isCount(lengths[name]))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
}

function places(lengths: ColumnLengths): { at: Map<ColumnName, number>; bytes: number } {
  const at = new Map<ColumnName, number>()
  let bytes = 0
  for (const name of columnNames()) {
    at.set(name, bytes)
    const size = lengths[name] * columnTypes[name].BYTES_PER_ELEMENT
    bytes += Math.ceil(size / alignment) * alignment
  }
  return { at, bytes }
}

function columnNames(): ColumnName[] {
  return Object.keys(columnTypes) as ColumnName[]
}

/** Texts as bytes, each with a zero behind it. */
export function packTexts(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(''))
}

export function unpackTexts(bytes: Uint8Array): string[] {
  const texts = Buffer.from(bytes).toString().split('\0')
  texts.pop()
  return texts
}
