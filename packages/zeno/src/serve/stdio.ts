// Reads standard input and writes standard output through their descriptors. Node's streams add several
// milliseconds to a start, which matters to one-shot clients. The streams take over when a read or write
// would block or fails, and for input that is neither a pipe nor a file.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import type { Write } from '@zee/core/lossless'

const inputDescriptor = 0
const outputDescriptor = 1
const chunkBytes = 64 << 10

/** Yields the chunks of standard input until its end. */
export async function* standardInput(host: Host): AsyncGenerator<Buffer | string> {
  const input = withoutBlocking()
  if (input !== -1) {
    try {
      // The first read may block: there is no other work before the first request.
      for (let chunk = readChunk(inputDescriptor); chunk !== undefined; chunk = readChunk(input)) {
        if (chunk.length === 0) return
        yield chunk
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      if (input !== inputDescriptor) closeSync(input)
    }
  }
  yield* host.stdin as AsyncIterable<Buffer | string>
}

/** A descriptor of standard input whose reads do not block: a file, or a reopened pipe; -1 for all else. */
function withoutBlocking(): number {
  try {
    const stats = fstatSync(inputDescriptor)
    if (stats.isFile()) return inputDescriptor
    if (!stats.isFIFO()) return -1
    return openSync(`/proc/self/fd/${inputDescriptor}`, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return -1
  }
}

/** Returns an empty buffer at the end, undefined if a read would block or fails. */
function readChunk(descriptor: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, chunkBytes, null))
  } catch {
    return undefined
  }
}

/** Returns a writer to standard output. It waits for a slow reader and retains no reference to its input. */
export function standardOutput(host: Host): Write {
  let write: Write | undefined
  return (text) => {
    if (write !== undefined) return write(Buffer.from(text))
    const rest = writeSome(typeof text === 'string' ? Buffer.from(text) : text)
    if (rest.length === 0) return Promise.resolve()
    write = streamWriter(host.stdout)
    return write(Buffer.from(rest))
  }
}

/** Writes until the descriptor would block or fails; returns the rest. */
function writeSome(bytes: Uint8Array): Uint8Array {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(outputDescriptor, rest))
    } catch (error) {
      if (errnoOf(error) !== 'EINTR') break
    }
  }
  return rest
}
