// Standard input and output as the streams of the protocol. An editor that sends requests and does not read
// the answers would fill the memory: input waits while too much output is unread.
import { setImmediate } from 'node:timers/promises'
import type { Host } from '@zee/core/exit'

/** Unread output above which no more input is read. */
const maxUnreadBytes = 256 * 1024
/** Input between two turns of the event loop: signals wait for the requests in it. */
const maxChunkBytes = 4096

export interface EditorStreams {
  input: ReadableStream<Uint8Array>
  output: WritableStream<Uint8Array>
}

export function openEditorStreams({
  stdin,
  stdout,
}: Pick<Host, 'stdin' | 'stdout'>): EditorStreams {
  const chunks: AsyncIterator<Uint8Array> = stdin[Symbol.asyncIterator]()
  const hasRoom = () => stdout.destroyed || stdout.writableLength <= maxUnreadBytes
  let rest: Uint8Array = new Uint8Array()
  return {
    input: new ReadableStream({
      async pull(controller) {
        while (!hasRoom()) await new Promise((resolve) => stdout.once('drain', resolve))
        if (rest.length > 0) await setImmediate()
        else {
          const { done, value } = await chunks.next()
          if (done === true) return controller.close()
          rest = value
        }
        controller.enqueue(rest.subarray(0, maxChunkBytes))
        rest = rest.subarray(maxChunkBytes)
      },
    }),
    // Not `Writable.toWeb`: its own queue would hide how much is unread.
    output: new WritableStream({
      write: (chunk) => void stdout.write(chunk),
    }),
  }
}
