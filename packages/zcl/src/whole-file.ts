// Files that are made piece by piece and may be larger than memory: they appear with all that belongs
// into them, or not at all.
import { createWriteStream, promises } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errnoOf, fileError } from '@zee/core/errors'
import { randomHex } from '@zee/core/ids'

/** `write` fills the file that it is given the name of; then that takes the place of `file`. */
export async function writeWhole(
  file: string,
  write: (temp: string) => Promise<void>,
): Promise<void> {
  const target = await promises.realpath(file).catch(() => file)
  const temp = path.join(path.dirname(target), `.zcl-${randomHex(6)}.tmp`)
  try {
    await promises.access(path.dirname(target))
    await write(temp)
    const old = await promises.stat(target).catch(() => undefined)
    if (old !== undefined) await promises.chmod(temp, old.mode)
    await promises.rename(temp, target)
  } catch (error) {
    await promises.rm(temp, { force: true }).catch(() => undefined)
    throw errnoOf(error) === undefined ? error : fileError('write', file, error)
  }
}

/** Fills a new file with texts, no faster than the disk takes them. */
export async function writePieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  await pipeline(pieces, createWriteStream(file, { flags: 'wx', flush: true }))
}
