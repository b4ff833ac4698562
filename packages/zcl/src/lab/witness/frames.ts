// The frames on the socket of a witness: `kind length\n`, then `length` bytes.
import type { Socket } from 'node:net'

const maxFrameBytes = 16 * 1024 * 1024
const maxHeadBytes = 64

/** Calls `onFrame` for each complete frame; a peer that breaks the form is cut off. */
export function readFrames(socket: Socket, onFrame: (kind: string, body: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      const end = pending.indexOf(0x0a)
      if (end < 0 && pending.length <= maxHeadBytes) return
      const head = /^([a-z]+) (\d{1,8})$/.exec(pending.toString('latin1', 0, Math.max(end, 0)))
      const length = Number(head?.[2])
      if (head === null || length > maxFrameBytes) {
        socket.destroy()
        return
      }
      const last = end + 1 + length
      if (pending.length < last) return
      onFrame(head[1] ?? '', pending.subarray(end + 1, last))
      pending = pending.subarray(last)
    }
  })
}
