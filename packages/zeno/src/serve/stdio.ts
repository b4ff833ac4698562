// Standard input and output straight by their descriptors. The streams that Node makes of them cost a start
// several milliseconds, which a client with one question pays in full; they take over as soon as a
// client lets us wait, and wherever a descriptor does not do what is asked of it.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import type { Write } from '@zee/core/lossless'

const [INPUT, OUTPUT] = [0, 1]
const chunkBytes = 64 << 10

/** Standard input until its end. */
export async function* standardInput(host: Host): AsyncGenerator<Buffer | string> {
  const pipe = reopenNonBlocking()
  if (pipe !== -1) {
    try {
      // Before the first question there is nothing to do but to wait for it.
      for (let chunk = readChunk(INPUT); chunk !== undefined; chunk = readChunk(pipe)) {
        if (chunk.length === 0) return
        yield chunk
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      closeSync(pipe)
    }
  }
  yield* host.stdin as AsyncIterable<Buffer | string>
}

/** The pipe that is standard input, opened again so that reading never waits; -1 when it is none. */
function reopenNonBlocking(): number {
  try {
    if (!fstatSync(INPUT).isFIFO()) return -1
    return openSync(`/proc/self/fd/${INPUT}`, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return -1
  }
}

/** Empty at the end; undefined when there is nothing yet or the descriptor cannot be read so. */
function readChunk(descriptor: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, chunkBytes, null))
  } catch {
    return undefined
  }
}

/** Writes to standard output; waits for the reader as long as it takes, and keeps nothing that it was given. */
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

/** What could not be written at once, or not at all. */
function writeSome(bytes: Uint8Array): Uint8Array {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(OUTPUT, rest))
    } catch (error) {
      if (errnoOf(error) !== 'EINTR') break
    }
  }
  return rest
}
