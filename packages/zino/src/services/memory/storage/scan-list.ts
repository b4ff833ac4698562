// Reads a long list file in pieces of 256 KiB and parses each piece on its own, so that the event loop
// runs between two pieces.
import { isUtf8 } from 'node:buffer'
import type { promises } from 'node:fs'
import { elementStart } from './list-text.ts'

export interface ScannedElements {
  elements: object[]
  /** Offset of each element in the file. */
  starts: number[]
}

const pieceBytes = 256 * 1024
const head = Buffer.from('[\n  {')

/** Resolves to the end of the list; undefined when the file is not in the form that mem writes. */
export async function scanList(
  file: promises.FileHandle,
  onElements: (scanned: ScannedElements) => void,
): Promise<number | undefined> {
  let held: Buffer = Buffer.alloc(0)
  let heldAt = 0
  let next = readPiece(file, 0)
  for (;;) {
    const piece = await next
    const isEnd = piece.length === 0
    held = Buffer.concat([held, piece])
    // Reads ahead while this piece is parsed.
    if (!isEnd) next = readPiece(file, heldAt + held.length)
    if (heldAt === 0 && !held.subarray(0, head.length).equals(head)) return undefined
    const until = isEnd ? endOfList(held) : held.lastIndexOf(elementStart)
    if (until === -1) return undefined
    const from = heldAt === 0 ? 1 : 0
    if (until > from) {
      const scanned = parseElements(held.subarray(from, until), heldAt + from, isEnd)
      if (scanned === undefined) return undefined
      onElements(scanned)
    }
    if (isEnd) return heldAt + until
    if (until >= from) {
      heldAt += until
      held = held.subarray(until)
    }
  }
}

async function readPiece(file: promises.FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(
    Buffer.allocUnsafe(pieceBytes),
    0,
    pieceBytes,
    position,
  )
  return buffer.subarray(0, bytesRead)
}

/** Offset of the line break before the closing bracket, or -1. */
function endOfList(bytes: Buffer): number {
  const text = bytes.toString('latin1', Math.max(0, bytes.length - 64)).trimEnd()
  if (!text.endsWith('\n]')) return -1
  return Math.max(0, bytes.length - 64) + text.length - 2
}

function parseElements(
  bytes: Buffer,
  offset: number,
  isLast: boolean,
): ScannedElements | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8').trimEnd()
  if (!isLast && !text.endsWith(',')) return undefined
  let elements: object[]
  try {
    elements = JSON.parse(`[${isLast ? text : text.slice(0, -1)}]`) as object[]
  } catch {
    return undefined
  }
  const starts: number[] = []
  let mark = 0
  while (mark !== -1) {
    starts.push(offset + mark + elementStart.length - 1)
    mark = bytes.indexOf(elementStart, mark + 1)
  }
  return starts.length === elements.length ? { elements, starts } : undefined
}
