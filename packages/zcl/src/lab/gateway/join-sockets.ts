// Connects two sockets in both directions; an error of one ends the other.
import type { Socket } from 'node:net'

/** Both sockets must allow half-open connections: an HTTP client may end its side first. */
export function joinSockets(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.pipe(other).pipe(one)
}
