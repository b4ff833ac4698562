// Writes an export to a file. A complete export replaces the file; a failed or empty one leaves it as it is.
import { ZeeError } from '@zee/core/errors'
import type { Write } from '@zee/core/lossless'
import { streamWriter } from '@zee/core/lossless'
import { createWriteStream, statSync, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Calls `work` with a writer; resolves with its result after the file is complete. */
export async function writeToFile<T>(file: string, work: (write: Write) => Promise<T>): Promise<T> {
  // A pipe or a device cannot be replaced.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    return (await streamTo(file, work)).result
  }
  const { fillFileAtomic } = await import('@zee/core/atomic-file')
  let written: { result: T; isEmpty: boolean } | undefined
  try {
    await fillFileAtomic(file, async (temp) => {
      written = await streamTo(temp, work)
      if (written.isEmpty) throw nothingWritten
    })
  } catch (error) {
    if (error !== nothingWritten) throw error
  }
  if (written === undefined) throw nothingWritten
  return written.result
}

const nothingWritten = new ZeeError('no_session', 'nothing was written')

/** Creates the file with the first write. */
async function streamTo<T>(
  file: string,
  work: (write: Write) => Promise<T>,
): Promise<{ result: T; isEmpty: boolean }> {
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
    const result = await work((text) => streamWriter(openStream())(text))
    return { result, isEmpty: stream === undefined }
  } finally {
    stream?.end()
    await ended
  }
}
