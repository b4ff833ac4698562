// Replaces files atomically: a reader sees the old content or the new, never a part. A writer that is
// killed or runs out of disk space leaves the old file unchanged.
import { fstatSync, promises, type Stats } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError, lateFileError, oneLine, ZeeError } from '../errors/errors.ts'
import { assertRegularFile } from './regular-file.ts'
import { failedFlushes, fsyncFolder, fsyncPath } from './fsync.ts'
import { isLinkUnsupported, sweepDeadTemps, tempPathFor } from './temp-file.ts'

export interface AtomicFileOptions {
  /** Exact mode, ignoring the umask. Default: the old file's mode, or 0o666 minus the umask. */
  mode?: number
  /** Flush the file and its folder entry before the promise resolves; default true. */
  durable?: boolean
}

type Data = string | Uint8Array

const maxSymbolicLinks = 40

/**
 * Creates or replaces a file. Follows symbolic links; keeps mode and owner. Streams an async iterable.
 */
export async function writeFileAtomic(
  file: string,
  data: Data | AsyncIterable<Data>,
  options: AtomicFileOptions = {},
): Promise<void> {
  await withFileError('write', file, async () => {
    const { target, old } = await resolveTarget(file)
    const temp = await writeTemp(target, data, options, old)
    await publish(temp, options, target, () => promises.rename(temp, target))
  })
}

/**
 * As `writeFileAtomic`, for writers that need a path: `fill` creates the file that replaces `file`.
 * Until then it has the mode that `fill` gave it.
 */
export async function fillFileAtomic(
  file: string,
  fill: (temp: string) => Promise<void>,
  options: AtomicFileOptions = {},
): Promise<void> {
  await withFileError('write', file, async () => {
    const { target, old } = await resolveTarget(file)
    const temp = tempPathFor(target)
    await publish(temp, options, target, async () => {
      await fill(temp)
      const handle = await promises.open(temp, 'r+')
      sweepDeadTemps(target, () => fstatSync(handle.fd).mtimeMs)
      await completeTemp(handle, options, old)
      await promises.rename(temp, target)
    })
  })
}

/** As `writeFileAtomic`, for a JSON value: two-space indent and a final newline. */
export async function writeJsonAtomic(
  file: string,
  value: unknown,
  options: AtomicFileOptions = {},
): Promise<void> {
  await writeFileAtomic(file, jsonText(file, value), options)
}

/** Creates a file with its content atomically; fails with code `eexist` when the path exists. */
export async function createFileExclusive(
  file: string,
  data: Data,
  options: AtomicFileOptions = {},
): Promise<void> {
  await withFileError('create', file, async () => {
    const target = path.resolve(file)
    const temp = await writeTemp(target, data, options, undefined)
    await publish(temp, options, target, async () => {
      try {
        await promises.link(temp, target)
      } catch (error) {
        if (!isLinkUnsupported(error)) throw error
        await createInPlace(target, data, options)
      }
      // The file is there; a later writer sweeps what is left of the temporary one.
      await promises.rm(temp, { force: true }).catch(() => undefined)
    })
  })
}

/** Flushes an existing file and its entry in the folder, so that both survive a power cut. */
export async function flushFile(file: string): Promise<void> {
  await withFileError('flush', file, async () => {
    await fsyncPath(file)
    await fsyncFolder(path.dirname(path.resolve(file)))
  })
}

/** Makes new and renamed entries of a folder survive a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    await fsyncFolder(folder)
  } catch (error) {
    throw lateFileError('flush', folder, error)
  }
}

function jsonText(file: string, value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, undefined, 2)
  } catch (error) {
    const why = error instanceof Error ? oneLine(error.message) : 'not JSON'
    throw new ZeeError('not_json', `cannot write ${oneLine(file)}: ${why}`, { cause: error })
  }
  if (text !== undefined) return `${text}\n`
  throw new ZeeError('not_json', `cannot write ${oneLine(file)}: JSON cannot represent undefined`)
}

async function withFileError(verb: string, file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError(verb, file, error)
  }
}

async function resolveTarget(file: string): Promise<{ target: string; old: Stats | undefined }> {
  const target = await followLinks(path.resolve(file))
  const old = await statIfExists(target)
  if (old !== undefined) assertRegularFile('write', file, old)
  return { target, old }
}

/** The path that a chain of links ends at; it need not exist. */
async function followLinks(start: string): Promise<string> {
  let target = start
  for (let hop = 0; hop <= maxSymbolicLinks; hop++) {
    let link: string
    try {
      link = await promises.readlink(target)
    } catch (error) {
      // EINVAL: it exists and is not a link.
      if (errnoOf(error) === 'EINVAL' || errnoOf(error) === 'ENOENT') return target
      throw error
    }
    // The link's folder may itself be reached by links; `..` is relative to its real path.
    target = path.resolve(await promises.realpath(path.dirname(target)), link)
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
}

async function statIfExists(target: string): Promise<Stats | undefined> {
  try {
    return await promises.stat(target)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeTemp(
  target: string,
  data: Data | AsyncIterable<Data>,
  options: AtomicFileOptions,
  old: Stats | undefined,
): Promise<string> {
  const temp = tempPathFor(target)
  // Private until the file has its final mode.
  const handle = await promises.open(
    temp,
    'wx',
    finalMode(options, old) === undefined ? 0o666 : 0o600,
  )
  try {
    // Sweeps first, because leftovers may fill the disk.
    sweepDeadTemps(target, () => fstatSync(handle.fd).mtimeMs)
    await promises.writeFile(handle, data)
    await completeTemp(handle, options, old)
    return temp
  } catch (error) {
    await handle.close().catch(() => undefined)
    await promises.rm(temp, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Undefined for the default of the umask. */
function finalMode(options: AtomicFileOptions, old: Stats | undefined): number | undefined {
  return options.mode ?? (old === undefined ? undefined : old.mode & 0o7777)
}

/** Sets owner and mode of the written file, flushes and closes it. */
async function completeTemp(
  handle: promises.FileHandle,
  options: AtomicFileOptions,
  old: Stats | undefined,
): Promise<void> {
  try {
    const mode = finalMode(options, old)
    if (old !== undefined) await keepOwner(handle, old)
    if (mode !== undefined) await handle.chmod(mode)
    if (options.durable !== false) await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Only the superuser may change the owner; otherwise the file belongs to the current user. */
async function keepOwner(handle: promises.FileHandle, old: Stats): Promise<void> {
  const current = await handle.stat()
  if (current.uid === old.uid && current.gid === old.gid) return
  await handle.chown(old.uid, old.gid).catch(() => undefined)
}

async function publish(
  temp: string,
  options: AtomicFileOptions,
  target: string,
  moveIntoPlace: () => Promise<void>,
): Promise<void> {
  const folder = path.dirname(target)
  const failedBefore = failedFlushes(folder)
  try {
    await moveIntoPlace()
  } catch (error) {
    await promises.rm(temp, { force: true }).catch(() => undefined)
    throw error
  }
  if (options.durable === false) return
  await flushFolder(folder)
  if (failedFlushes(folder) === failedBefore) return
  throw lateFileError('flush', folder, new Error('another flush of it has failed'))
}

/** Fallback for file systems without hard links: still exclusive, but a reader may see it grow. */
async function createInPlace(
  target: string,
  data: Data,
  options: AtomicFileOptions,
): Promise<void> {
  const handle = await promises.open(target, 'wx', options.mode ?? 0o666)
  try {
    await handle.writeFile(data)
    if (options.mode !== undefined) await handle.chmod(options.mode)
    if (options.durable !== false) await handle.sync()
    await handle.close()
  } catch (error) {
    await handle.close().catch(() => undefined)
    await promises.rm(target, { force: true }).catch(() => undefined)
    throw error
  }
}
