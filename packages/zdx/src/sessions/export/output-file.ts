// Writes an export to a file. The file is created with the first write, so exporting a missing session
// does not truncate an existing file.
import type { Write } from '@zee/core/lossless'
import { streamWriter } from '@zee/core/lossless'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Calls `work` with a writer; resolves with its result after the file is complete. */
export async function writeToFile<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
  let stream: WriteStream | undefined
  let ended: Promise<void> | undefined
  const openStream = (): WriteStream => {
    if (stream !== undefined) return stream
    stream = createWriteStream(file)
    ended = finished(stream)
    // `finally` awaits this promise and throws its error; the handler avoids an unhandled rejection.
    ended.catch(() => {})
    return stream
  }
  try {
    return await work((text) => streamWriter(openStream())(text))
  } finally {
    stream?.end()
    await ended
  }
}
