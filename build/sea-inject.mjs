// Injects a blob into a copy of the node binary (a single executable application), for 64-bit
// little-endian ELF. If a fuse in its data is set, Node searches the program's note segments for a note
// named NODE_SEA_BLOB.
//
// The note segment must be mapped, and the program header table has no free entry. So the end of the file
// gets one new segment with a longer table and the note. The difference between its address and its file
// offset equals that of the first segment: older kernels compute the table's address that way.

const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:'
const entryBytes = 56
const page = 0x1000
const type = { load: 1, note: 4, table: 6 }
const readable = 4

/** @typedef {{ type: number, flags: number, offset: number, address: number, fileSize: number, size: number, align: number }} Segment */

/**
 * @param {Buffer} node
 * @param {Buffer} blob
 * @returns {Buffer}
 */
export function injectBlob(node, blob) {
  const isElf64 = node.readUInt32BE(0) === 0x7f454c46 && node[4] === 2 && node[5] === 1
  if (!isElf64) throw new Error('this node is not a 64-bit little-endian ELF file')
  const segments = readTable(node)
  const first = segments.find(({ type: kind }) => kind === type.load)
  if (first === undefined) throw new Error('this node has no segments')
  const distance = first.address - first.offset
  const lastAddress = Math.max(...segments.map(({ address, size }) => address + size))
  const start = roundUp(Math.max(node.length, lastAddress - distance), page)

  const note = noteOf('NODE_SEA_BLOB', blob)
  const tableBytes = (segments.length + 2) * entryBytes
  const noteAt = roundUp(start + tableBytes, 8)
  const end = noteAt + note.length
  const at = (/** @type {number} */ offset, /** @type {number} */ size) => ({
    flags: readable,
    offset,
    address: offset + distance,
    fileSize: size,
    size,
  })
  for (const segment of segments) {
    if (segment.type === type.table) Object.assign(segment, at(start, tableBytes))
  }
  // Loadable segments must be sorted by address.
  const lastLoad = segments.findLastIndex(({ type: kind }) => kind === type.load)
  segments.splice(lastLoad + 1, 0, { type: type.load, align: page, ...at(start, end - start) })
  segments.push({ type: type.note, align: 4, ...at(noteAt, note.length) })

  const out = Buffer.alloc(end)
  node.copy(out)
  segments.forEach((segment, index) => writeEntry(out, start + index * entryBytes, segment))
  note.copy(out, noteAt)
  out.writeBigUInt64LE(BigInt(start), 32)
  out.writeUInt16LE(segments.length, 56)
  setFuse(out)
  return out
}

/** @param {Buffer} file */
function readTable(file) {
  const start = Number(file.readBigUInt64LE(32))
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const entry = start + index * entryBytes
    const long = (/** @type {number} */ offset) => Number(file.readBigUInt64LE(entry + offset))
    return /** @type {Segment} */ ({
      type: file.readUInt32LE(entry),
      flags: file.readUInt32LE(entry + 4),
      offset: long(8),
      address: long(16),
      fileSize: long(32),
      size: long(40),
      align: long(48),
    })
  })
}

/**
 * @param {Buffer} file
 * @param {number} entry
 * @param {Segment} segment
 */
function writeEntry(file, entry, segment) {
  file.writeUInt32LE(segment.type, entry)
  file.writeUInt32LE(segment.flags, entry + 4)
  const { offset, address, fileSize, size, align } = segment
  for (const [index, value] of [offset, address, address, fileSize, size, align].entries()) {
    file.writeBigUInt64LE(BigInt(value), entry + 8 + index * 8)
  }
}

/**
 * Encodes a note: lengths, an unused type, the name and the content, each padded to four bytes.
 * @param {string} name
 * @param {Buffer} content
 */
function noteOf(name, content) {
  const nameBytes = Buffer.from(`${name}\0`)
  const head = Buffer.alloc(12 + roundUp(nameBytes.length, 4))
  head.writeUInt32LE(nameBytes.length, 0)
  head.writeUInt32LE(content.length, 4)
  nameBytes.copy(head, 12)
  return Buffer.concat([head, content, Buffer.alloc(roundUp(content.length, 4) - content.length)])
}

/** @param {Buffer} file */
function setFuse(file) {
  const at = file.indexOf(`${fuse}0`)
  if (at === -1) throw new Error('this node cannot become a single executable: it has no fuse')
  file.write('1', at + fuse.length)
}

/**
 * @param {number} value
 * @param {number} unit
 */
function roundUp(value, unit) {
  return Math.ceil(value / unit) * unit
}
