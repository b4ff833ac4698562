// The one error type that zee throws on purpose, and the words for what the system reports.
// Expected failures are values; a ZeeError is for what ends the work at hand.

export interface ZeeErrorOptions {
  /** What the process exits with when nobody handles it; 1 unless said otherwise. */
  exitCode?: number
  cause?: unknown
}

export class ZeeError extends Error {
  override readonly name = 'ZeeError'
  /** Stable and for machines, such as `usage` or `lock_timeout`. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, message: string, options: ZeeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.exitCode = options.exitCode ?? 1
  }
}

/** The command line was wrong: exit 2 in every program. */
export function usageError(message: string): ZeeError {
  return new ZeeError('usage', message, { exitCode: 2 })
}

/** The system's error name (`ENOENT`), when the error came from the system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined
}

const errnoWords: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EBUSY', 'it is in use'],
  ['ECONNREFUSED', 'nobody is listening there'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'it already exists'],
  ['EFBIG', 'the file would be larger than allowed'],
  ['EIO', 'the disk reported an error'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOENT', 'no such file or folder'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['ENOTEMPTY', 'the folder is not empty'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'the disk is read-only'],
  ['ETXTBSY', 'the program is being written'],
  ['EXDEV', 'it is on another disk'],
])

/** Why something failed, in a few words and one line; never a stack trace. */
export function reasonOf(error: unknown): string {
  const errno = errnoOf(error)
  const words = errno === undefined ? undefined : errnoWords.get(errno)
  if (words !== undefined) return words
  const text = error instanceof Error ? error.message : String(error)
  return oneLine(text) || 'unknown error'
}

/** Line breaks and control characters folded away, so that an error stays one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}

/** A system error on a named thing: `cannot <verb> <path>: <reason>`. */
export function fileError(verb: string, path: string, error: unknown): ZeeError {
  const code = errnoOf(error)?.toLowerCase() ?? 'io'
  return new ZeeError(code, `cannot ${verb} ${oneLine(path)}: ${reasonOf(error)}`, { cause: error })
}
