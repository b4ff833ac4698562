// The file functions of Node that the hook wraps, and how to read their arguments.
import path from 'node:path'

/** What an operation does; faults are chosen by it. */
export type OperationKind =
  | 'open'
  | 'create'
  | 'read'
  | 'write'
  | 'sync'
  | 'entry'
  | 'folder'
  | 'resize'
  | 'mode'
  | 'look'

export interface OperationShape {
  kind: OperationKind
  /** What the first argument names. Methods of a FileHandle use `handle`. */
  subject: 'path' | 'descriptor' | 'handle' | 'either'
  /** The second argument is a path of the same operation. */
  hasSecondPath?: true
  /** The data is the second argument and the call writes all of it, or fails. */
  isWholeWrite?: true
  /** The other forms call wrapped functions themselves. */
  isSyncOnly?: true
}

const look: OperationShape = { kind: 'look', subject: 'path' }
const mode: OperationShape = { kind: 'mode', subject: 'path' }

/** Functions that exist as `nameSync`, as `name` with a callback and as a promise. */
export const pathFunctions: Readonly<Record<string, OperationShape>> = {
  open: { kind: 'open', subject: 'path' },
  readFile: { kind: 'read', subject: 'either' },
  writeFile: { kind: 'write', subject: 'either', isWholeWrite: true },
  appendFile: { kind: 'write', subject: 'either', isWholeWrite: true },
  copyFile: { kind: 'create', subject: 'path', hasSecondPath: true },
  rename: { kind: 'entry', subject: 'path', hasSecondPath: true },
  link: { kind: 'create', subject: 'path', hasSecondPath: true },
  symlink: { kind: 'create', subject: 'path', hasSecondPath: true },
  unlink: { kind: 'entry', subject: 'path' },
  rm: { kind: 'entry', subject: 'path', isSyncOnly: true },
  mkdir: { kind: 'folder', subject: 'path' },
  mkdtemp: { kind: 'folder', subject: 'path' },
  rmdir: { kind: 'entry', subject: 'path' },
  truncate: { kind: 'resize', subject: 'path' },
  chmod: mode,
  chown: mode,
  utimes: mode,
  stat: look,
  lstat: look,
  readdir: look,
  readlink: look,
  realpath: look,
  access: look,
  opendir: look,
}

/** Functions of a descriptor that exist as `nameSync` and as `name` with a callback. */
export const descriptorFunctions: Readonly<Record<string, OperationShape>> = {
  read: { kind: 'read', subject: 'descriptor' },
  write: { kind: 'write', subject: 'descriptor' },
  writev: { kind: 'write', subject: 'descriptor' },
  fsync: { kind: 'sync', subject: 'descriptor' },
  fdatasync: { kind: 'sync', subject: 'descriptor' },
  ftruncate: { kind: 'resize', subject: 'descriptor' },
  fstat: { kind: 'look', subject: 'descriptor' },
  fchmod: { kind: 'mode', subject: 'descriptor' },
  fchown: { kind: 'mode', subject: 'descriptor' },
  futimes: { kind: 'mode', subject: 'descriptor' },
}

export const handleMethods: Readonly<Record<string, OperationShape>> = {
  read: { kind: 'read', subject: 'handle' },
  readFile: { kind: 'read', subject: 'handle' },
  write: { kind: 'write', subject: 'handle' },
  writev: { kind: 'write', subject: 'handle' },
  writeFile: { kind: 'write', subject: 'handle', isWholeWrite: true },
  appendFile: { kind: 'write', subject: 'handle', isWholeWrite: true },
  sync: { kind: 'sync', subject: 'handle' },
  datasync: { kind: 'sync', subject: 'handle' },
  truncate: { kind: 'resize', subject: 'handle' },
  stat: { kind: 'look', subject: 'handle' },
  chmod: { kind: 'mode', subject: 'handle' },
  chown: { kind: 'mode', subject: 'handle' },
  utimes: { kind: 'mode', subject: 'handle' },
}

/** One call of a wrapped function, below the watched folder. */
export interface Operation {
  /** The number of the call in this process, from 0. */
  index: number
  name: string
  kind: OperationKind
  path: string
  /** The new name of `rename`, `link`, `symlink` and `copyFile`. */
  to?: string
}

/** The content of the variable `ZEE_FILE_HOOK`. */
export interface HookOrder {
  /** Only operations below this folder count. */
  root: string
  /** The hook appends one JSON line per operation, or the fault that it caused. */
  log: string
  /** Also log the changes of files, for the simulation of power loss. */
  withChanges?: boolean
  fault?: Fault
}

export interface Fault {
  index: number
  /**
   * `error`: fails once. `from-here`: this and every later operation that the errno concerns fails.
   * `late-error`: succeeds, then reports a failure. `short`: half of the bytes are written.
   */
  how: 'error' | 'from-here' | 'late-error' | 'short' | 'kill-before' | 'kill-after' | 'delay'
  errno?: string
}

const mutating: ReadonlySet<OperationKind> = new Set([
  'create',
  'write',
  'sync',
  'entry',
  'folder',
  'resize',
  'mode',
])

export function isMutating(kind: OperationKind): boolean {
  return mutating.has(kind)
}

export function isBelow(root: string, file: string): boolean {
  return file === root || file.startsWith(root + path.sep)
}
