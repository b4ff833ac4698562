// Explains why a command did not start, also where the system reports one error for several causes.
// Messages never quote arguments or environment: both may contain secrets.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { errnoOf, oneLine, reasonOf } from '../errors/errors.ts'
import type { CommandSpec, ProcessOutcome } from './types.ts'

export interface StartFailure {
  outcome: Exclude<ProcessOutcome, 'exited' | 'signalled'>
  error: string
  errno?: string | undefined
}

// The C library's search path without a PATH variable.
const defaultPath = '/bin:/usr/bin'

const notExecutableErrors = new Set(['EACCES', 'EPERM', 'EISDIR', 'ENOEXEC', 'ETXTBSY', 'ELIBBAD'])
const notFoundErrors = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

export function explainFailure(spec: CommandSpec, error: unknown): StartFailure {
  const name = oneLine(spec.command)
  if (spec.command === '') return { outcome: 'not_found', error: 'the command is empty' }
  const cwdProblem = spec.cwd === undefined ? undefined : folderProblem(spec.cwd)
  if (cwdProblem !== undefined) return cwdProblem
  const errno = errnoOf(error)
  if (errno === undefined) {
    // Node refuses such text itself, and its message quotes the text.
    const why = 'the command, an argument or the environment holds a NUL byte'
    return { outcome: 'spawn_failed', error: `cannot start ${name}: ${why}` }
  }
  if (notFoundErrors.has(errno)) {
    if (findCommand(spec) === undefined) {
      return { outcome: 'not_found', error: `${name}: command not found`, errno }
    }
    // The file exists, so ENOENT means the interpreter in its `#!` line.
    return { outcome: 'not_executable', error: `${name}: its interpreter is missing`, errno }
  }
  const outcome = notExecutableErrors.has(errno) ? 'not_executable' : 'spawn_failed'
  return { outcome, error: `cannot start ${name}: ${startReason(errno, error)}`, errno }
}

/**
 * Refuses an executable file that is neither a program nor text. The C library would run it with `sh`,
 * whose error message is misleading.
 */
export function badFormat(spec: CommandSpec): StartFailure | undefined {
  const file = findCommand(spec)
  if (file === undefined || !isUnknownBinary(file) || hasExtraFormats()) return undefined
  const error = `cannot start ${oneLine(spec.command)}: it is not a program this system can run`
  return { outcome: 'not_executable', error, errno: 'ENOEXEC' }
}

function folderProblem(cwd: string): StartFailure | undefined {
  try {
    if (!statSync(cwd).isDirectory()) {
      const error = `the working folder ${oneLine(cwd)} is not a folder`
      return { outcome: 'cwd_missing', error, errno: 'ENOTDIR' }
    }
    accessSync(cwd, constants.X_OK)
    return undefined
  } catch (error) {
    const message = `cannot enter the working folder ${oneLine(cwd)}: ${reasonOf(error)}`
    const errno = errnoOf(error)
    return { outcome: 'cwd_missing', error: message, errno }
  }
}

/** The first executable file of that name on the child's PATH, as the system would find it. */
function findCommand(spec: CommandSpec): string | undefined {
  const base = spec.cwd ?? '.'
  const folders = spec.command.includes('/') ? [''] : (spec.env.PATH ?? defaultPath).split(':')
  for (const folder of folders) {
    const file = folder.startsWith('/')
      ? `${folder}/${spec.command}`
      : path.resolve(base, folder, spec.command)
    // The cheapest check for the common case that the folder does not have it.
    if (!existsSync(file)) continue
    try {
      if (!statSync(file).isFile()) continue
      accessSync(file, constants.X_OK)
      return file
    } catch {
      continue
    }
  }
  return undefined
}

function isUnknownBinary(file: string): boolean {
  if (process.platform !== 'linux') return false
  const head = Buffer.alloc(128)
  let length: number
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      length = readSync(fd, head, 0, head.length, 0)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Executable but not readable: leave the decision to the system.
    return false
  }
  if (startsWith(head, '\x7fELF') || startsWith(head, '#!')) return false
  const lineEnd = head.subarray(0, length).indexOf(0x0a)
  return head.subarray(0, lineEnd === -1 ? length : lineEnd).includes(0)
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

/** Whether binfmt_misc has formats registered (emulators, Java): then only the kernel can decide. */
function hasExtraFormats(): boolean {
  try {
    const entries = readdirSync('/proc/sys/fs/binfmt_misc')
    return entries.some((name) => name !== 'register' && name !== 'status')
  } catch {
    return false
  }
}

function startReason(errno: string, error: unknown): string {
  if (errno === 'E2BIG') return 'the arguments and the environment are too long'
  if (errno === 'EAGAIN') return 'too many processes'
  if (errno === 'ENOMEM') return 'not enough memory'
  if (errno === 'ENOEXEC') return 'it is not a program this system can run'
  return reasonOf(error)
}
