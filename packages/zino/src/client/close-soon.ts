// Closes sockets that nobody reads any more, many at a time: each close wakes the process at the other end,
// so that closing one after each answer would cost every turn a tenth of its time.
import type { Socket } from 'node:net'

const delayMs = 200
/** More sockets are closed at once, so that they do not use up the descriptors of a busy process. */
const maxOpen = 64

const open: Socket[] = []

export function closeSoon(socket: Socket): void {
  open.push(socket)
  if (open.length === 1) setTimeout(closeAll, delayMs).unref()
  if (open.length > maxOpen) open.shift()?.destroy()
}

function closeAll(): void {
  for (const socket of open.splice(0)) socket.destroy()
}
