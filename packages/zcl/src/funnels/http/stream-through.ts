// Streams one body into another message. The last chunk goes out together with the end, and the head of
// a message together with its first chunk: a short body then takes one packet instead of three.
import type { Readable, Writable } from 'node:stream'

/** `finish` gets the last chunk, unless it had to go already, and has to end the target. */
export function streamThrough(
  source: Readable,
  target: Writable,
  finish: (last: Buffer | undefined) => void,
): void {
  let held: Buffer | undefined
  let isWatched = false
  const letGo = (): void => {
    if (held === undefined) return
    const isRoomLeft = target.write(held)
    held = undefined
    if (isRoomLeft) return
    source.pause()
    target.once('drain', () => source.resume())
  }
  source.on('data', (chunk: Buffer) => {
    letGo()
    held = chunk
    if (isWatched) return
    isWatched = true
    // Whatever has not been followed by more within a turn may be all there is for a long time.
    setImmediate(() => {
      isWatched = false
      letGo()
    })
  })
  source.resume()
  source.on('end', () => {
    const last = held
    held = undefined
    finish(last)
  })
}
