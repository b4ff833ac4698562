// Builds index files of git byte by byte.

export interface FixtureEntry {
  path: string
  mode?: number
  blob?: string
  /** The second of the stored change time. */
  second?: number
  stage?: number
  /** Adds the 2 bytes of extended flags of version 3. */
  isExtended?: boolean
  size?: number
}

const blobOf = (character: string) => character.repeat(40)

/** An index without a checksum; `end` follows the entries. */
export function indexOf(
  entries: readonly FixtureEntry[],
  { version = 2, end = '\0'.repeat(20) }: { version?: number; end?: string } = {},
): Buffer {
  const header = Buffer.alloc(12)
  header.write('DIRC', 0, 'latin1')
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(entries.length, 8)
  return Buffer.concat([header, ...entries.map(entryBytes), Buffer.from(end, 'latin1')])
}

function entryBytes({
  path,
  mode = 0o100644,
  blob = blobOf('a'),
  second = 1,
  stage = 0,
  isExtended = false,
  size = 5,
}: FixtureEntry): Buffer {
  const name = Buffer.from(path, 'latin1')
  const start = isExtended ? 64 : 62
  const bytes = Buffer.alloc(Math.ceil((start + name.length + 1) / 8) * 8)
  bytes.writeUInt32BE(second, 0)
  bytes.writeUInt32BE(mode, 24)
  bytes.writeUInt32BE(size, 36)
  bytes.write(blob, 40, 'hex')
  const length = Math.min(name.length, 0xfff)
  bytes.writeUInt16BE((isExtended ? 0x4000 : 0) | (stage << 12) | length, 60)
  name.copy(bytes, start)
  return bytes
}
