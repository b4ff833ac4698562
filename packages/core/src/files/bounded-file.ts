// Reads a whole file that a repository, a user or another program names. Such a file may be a pipe that
// nothing writes to, a device without an end, or sparse; none of them may block a program or fill its memory.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { fileError, oneLine, ZeeError } from '../errors/errors.ts'

export interface BoundedRead {
  /** Larger files are refused; default 16 MiB, far above what a person writes. */
  maxBytes?: number
  /** Refuses a link, with the system error ELOOP. */
  noFollow?: boolean
}

/** The bytes, or why they are not read: in words, and as a code of a ZeeError. */
export type BoundedBytes =
  | { bytes: Buffer; reason?: undefined }
  | { reason: string; code: 'eisdir' | 'not_a_file' | 'too_large' }

const defaultMaxBytes = 16 << 20

/** The bytes of a file; throws the system's error, or a ZeeError for a file that is refused. */
export function readBoundedFile(file: string, options?: BoundedRead): Buffer {
  const read = tryBoundedFile(file, options)
  if (read.reason === undefined) return read.bytes
  throw new ZeeError(read.code, `cannot read ${oneLine(file)}: ${read.reason}`)
}

/** The text of a file; throws a ZeeError if it cannot be read. */
export function readBoundedText(file: string, options?: BoundedRead): string {
  try {
    return readBoundedFile(file, options).toString('utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
}

/** Like `readBoundedFile`, but a refusal is a value. Devices such as `/dev/null` are read, too. */
export function tryBoundedFile(
  file: string,
  { maxBytes = defaultMaxBytes, noFollow = false }: BoundedRead = {},
): BoundedBytes {
  const isOwn = ownDescriptor.test(file)
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const flags = O_RDONLY | (noFollow ? O_NOFOLLOW : 0) | (isOwn ? 0 : O_NONBLOCK)
  const descriptor = openSync(file, flags)
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) return { code: 'eisdir', reason: 'it is a folder' }
    if (!isOwn && !stats.isFile() && !stats.isCharacterDevice()) {
      return { code: 'not_a_file', reason: 'it is not a regular file' }
    }
    const bytes = stats.size > maxBytes ? undefined : readUpTo(descriptor, maxBytes, stats.size)
    return bytes === undefined ? { code: 'too_large', reason: largerThan(maxBytes) } : { bytes }
  } finally {
    closeSync(descriptor)
  }
}

/** A pipe of this process, which the user has opened: `<(command)` of a shell, or standard input. */
const ownDescriptor = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/

/** All bytes up to the end; undefined if there are more than `maxBytes`. */
function readUpTo(descriptor: number, maxBytes: number, size: number): Buffer | undefined {
  // One byte more than the file has finds its end without another buffer.
  let buffer = Buffer.allocUnsafe(Math.max(size + 1, unknownBytes))
  let filled = 0
  for (;;) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, null)
    filled += count
    if (count === 0) return buffer.subarray(0, filled)
    if (filled > maxBytes) return undefined
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
  }
}

/** First read of a file that reports no size, as those in /proc do. */
const unknownBytes = 4096

function largerThan(bytes: number): string {
  return bytes >= 1 << 20
    ? `it is larger than ${bytes >> 20} MiB`
    : `it is larger than ${bytes} bytes`
}
