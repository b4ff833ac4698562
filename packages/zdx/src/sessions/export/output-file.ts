// The file that an export goes into. It appears with the first piece of text, so that a session that
// is not there replaces nothing.
import type { Write } from '@zee/core/lossless'
import { streamWriter } from '@zee/core/lossless'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Gives `work` something to write with; resolves with its result once all of it is in the file. */
export async function writeToFile<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
  let stream: WriteStream | undefined
  let ended: Promise<void> | undefined
  const opened = (): WriteStream => {
    if (stream !== undefined) return stream
    stream = createWriteStream(file)
    ended = finished(stream)
    // What fails on the way is told at the end; nothing is written to a stream that has failed.
    ended.catch(() => {})
    return stream
  }
  try {
    return await work((text) => streamWriter(opened())(text))
  } finally {
    stream?.end()
    await ended
  }
}
