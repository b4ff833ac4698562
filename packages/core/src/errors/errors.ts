// The one error type that zee throws deliberately, and messages for system error codes.
// Expected failures are return values; a ZeeError ends the current operation.

export interface ZeeErrorOptions {
  /** Exit code of the process when the error is not handled; default 1. */
  exitCode?: number
  cause?: unknown
}

export class ZeeError extends Error {
  override readonly name = 'ZeeError'
  /** Stable identifier for programs, such as `usage` or `lock_timeout`. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, message: string, options: ZeeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.exitCode = options.exitCode ?? 1
  }
}

/** A ZeeError for a wrong command line; every program exits with 2. */
export function usageError(message: string): ZeeError {
  return new ZeeError('usage', message, { exitCode: 2 })
}

/** The system error code (`ENOENT`), or undefined when the error did not come from the system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined
}

const errnoWords: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EBUSY', 'it is in use'],
  ['ECONNREFUSED', 'nothing is listening there'],
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

/** A system error code in words: `EMFILE` is `too many open files`. */
export function errnoReason(errno: string): string {
  return errnoWords.get(errno) ?? errno
}

/** The reason of a failure in a few words on one line, without a stack trace. */
export function reasonOf(error: unknown): string {
  const errno = errnoOf(error)
  if (errno !== undefined && errnoWords.has(errno)) return errnoReason(errno)
  if (error instanceof SyntaxError) return syntaxWords(error.message)
  if (error instanceof RangeError && /call stack/.test(error.message)) return 'it nests too deep'
  const text = error instanceof Error ? error.message : String(error)
  return oneLine(text) || 'unknown error'
}

/**
 * A fault of JSON or of a regular expression in the words of zee. The text of V8 quotes the input, which
 * may hold a secret, and differs between versions of Node.
 */
function syntaxWords(message: string): string {
  const [, fault] = /^Invalid regular expression: \/[\s\S]*: ([^:]+)$/.exec(message) ?? []
  if (fault !== undefined) return oneLine(fault).toLowerCase()
  if (!/JSON/.test(message)) return oneLine(message)
  if (message.startsWith('Unexpected end')) return 'it ends too early'
  const [, position] = /at position (\d+)/.exec(message) ?? []
  const place = position === undefined ? '' : ` at position ${position}`
  return `a character is out of place${place}`
}

/**
 * The text on one line, safe for a terminal: runs of white space and control characters become one space,
 * characters that reorder or hide text are escaped.
 */
export function oneLine(text: string): string {
  return escapeHidden(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim())
}

/**
 * Writes bidirectional controls and tags as `\u202e`: they reorder or hide text that a reader sees. The
 * form is that of JSON, so that JSON text stays valid.
 */
export function escapeHidden(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu, (character) =>
    character.replace(
      /[\s\S]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}

/** A step after the change itself has failed, such as a flush: the change may be in effect. */
export class UncertainError extends ZeeError {}

/** The message of an error; when the change may be in effect, it says so. */
export function messageOf(error: ZeeError): string {
  const isUncertain = [error, error.cause].some((each) => each instanceof UncertainError)
  return isUncertain && !/\bmay\b/.test(error.message)
    ? `${error.message}; it may be recorded`
    : error.message
}

/** As `fileError`, for a flush: the words are those of the caller. */
export function flushError(path: string, error: unknown): UncertainError {
  const { code, message } = fileError('flush', path, error)
  return new UncertainError(code, message, { cause: error })
}

/** As `fileError`, for any other such step. */
export function lateFileError(verb: string, path: string, error: unknown): UncertainError {
  const { code, message } = fileError(verb, path, error)
  return new UncertainError(code, `${message}; the change may have been made`, { cause: error })
}

/** An expected failure of a step after a change, with words that say what has happened before it. */
export function errorAfter(happened: string, error: unknown): unknown {
  const code = error instanceof ZeeError ? error.code : errnoOf(error)?.toLowerCase()
  if (code === undefined) return error
  const exitCode = error instanceof ZeeError ? error.exitCode : 1
  return new ZeeError(code, `${reasonOf(error)}; ${happened}`, { exitCode, cause: error })
}

/** A ZeeError for a system error on a path: `cannot <verb> <path>: <reason>`. A ZeeError stays as it is. */
export function fileError(verb: string, path: string, error: unknown): ZeeError {
  if (error instanceof ZeeError) return error
  const code = errnoOf(error)?.toLowerCase() ?? 'io'
  return new ZeeError(code, `cannot ${verb} ${oneLine(path)}: ${reasonOf(error)}`, { cause: error })
}
