// Writes several pieces of a message at once, so that a short message takes one packet.
import type { Socket } from 'node:net'

/** Below this size, copying is cheaper than several writes. */
const maxCopiedBytes = 64 * 1024

/** False when the socket's buffer is full. `head` has one character per byte (latin1). */
export function writeTogether(socket: Socket, head: string, pieces: readonly Buffer[]): boolean {
  const [only] = pieces
  if (only === undefined) return socket.write(head, 'latin1')
  if (head === '' && pieces.length === 1) return socket.write(only)
  const length = pieces.reduce((sum, piece) => sum + piece.length, head.length)
  if (length > maxCopiedBytes) {
    socket.cork()
    if (head !== '') socket.write(head, 'latin1')
    for (const piece of pieces) socket.write(piece)
    socket.uncork()
    return !socket.writableNeedDrain
  }
  const together = Buffer.allocUnsafe(length)
  let at = together.write(head, 'latin1')
  for (const piece of pieces) at += piece.copy(together, at)
  return socket.write(together)
}
