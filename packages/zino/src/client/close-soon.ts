// Closes the sockets of complete answers, many at a time. Each close wakes the process at the other end, so
// single closes would delay the steps of the next turn.
import type { Socket } from 'node:net'

const delayMs = 200
/** Above this number the oldest socket is closed at once: a busy process must not run out of descriptors. */
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
