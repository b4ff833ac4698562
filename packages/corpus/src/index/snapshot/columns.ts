// The columns of a snapshot, adjacent in one shared buffer. Threads share it, and it is written and read as one
// section of the file. The names of the columns are part of the file format.

/** Wide columns first, for alignment. */
const columnTypes = {
  /** Inode, device and ctime. */
  folderMarks: BigInt64Array,
  modified: BigInt64Array,
  changed: BigInt64Array,
  inodes: BigInt64Array,
  sizes: Float64Array,
  chars: Float64Array,
  /** By folder, in order: a file, or `-1 - folder`. */
  entries: Int32Array,
  /** First entry of each folder, plus the end of the last. */
  firstEntries: Int32Array,
  lengths: Uint32Array,
  blocks: Int32Array,
  places: Uint16Array,
  kinds: Uint8Array,
  flags: Uint8Array,
  folderStates: Uint8Array,
  blockSizes: Uint8Array,
  /** Zero-terminated texts. */
  names: Uint8Array,
  folderNames: Uint8Array,
  folderAccess: Uint8Array,
} as const

type ColumnName = keyof typeof columnTypes

export type Columns = { [Name in ColumnName]: InstanceType<(typeof columnTypes)[Name]> }

/** Length of each column in elements. */
export type ColumnLengths = Record<ColumnName, number>

/** State of a folder in a snapshot. */
export const FolderState = {
  unread: 0,
  read: 1,
  /** Read, but racy or with invalid names: must be reread. */
  racy: 2,
} as const

const alignment = 64

export function columnsBytes(lengths: ColumnLengths): number {
  return layout(lengths).bytes
}

/** Views of the columns in a buffer of `columnsBytes`. */
export function columnsIn(memory: SharedArrayBuffer, lengths: ColumnLengths): Columns {
  const { at } = layout(lengths)
  // The types of the constructors accept only ArrayBuffer.
  const buffer = memory as unknown as ArrayBuffer
  return Object.fromEntries(
    columnNames().map((name) => [
      name,
      new columnTypes[name](buffer, at.get(name) as number, lengths[name]),
    ]),
  ) as unknown as Columns
}

/** Whether a value has a valid length for each column. */
export function areLengths(value: unknown): value is ColumnLengths {
  if (typeof value !== 'object' || value === null) return false
  const lengths = value as Partial<Record<ColumnName, unknown>>
  return columnNames().every((name) => isCount(lengths[name]))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
}

function layout(lengths: ColumnLengths): { at: Map<ColumnName, number>; bytes: number } {
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

/** Encodes texts, each terminated by a zero byte. */
export function packTexts(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(''))
}

export function unpackTexts(bytes: Uint8Array): string[] {
  const texts = Buffer.from(bytes).toString().split('\0')
  texts.pop()
  return texts
}
