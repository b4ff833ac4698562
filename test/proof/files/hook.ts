// Wraps the file functions of `node:fs` in this process: counts and logs the operations below one folder,
// and causes one fault. A preload installs it, so that the built programs run unchanged.
import type * as FileSystem from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { ChangeLog } from './changes.ts'
import type { Fault, HookOrder, Operation, OperationKind, OperationShape } from './operations.ts'
import {
  descriptorFunctions,
  handleMethods,
  isBelow,
  isMutating,
  pathFunctions,
} from './operations.ts'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown
/** A wrapped function: the object it is called on and its arguments. */
type Wrapped = (owner: unknown, args: unknown[]) => unknown
type Functions = Record<string, AnyFunction>
type Fs = typeof FileSystem

const delayMs = 100

/** Wraps the functions; the returned function brings the original ones back. */
export function installHook(order: HookOrder): () => void {
  const hook = new FileHook(order, process.getBuiltinModule('node:fs'))
  hook.install()
  syncBuiltinESMExports()
  return () => {
    hook.remove()
    syncBuiltinESMExports()
  }
}

class FileHook {
  readonly #order: HookOrder
  readonly #fs: Fs
  /** The functions as they were. */
  readonly #original: Fs
  readonly #restores: (() => void)[] = []
  readonly #changes: ChangeLog | undefined
  readonly #log: number
  /** Paths of open descriptors below the root. */
  readonly #open = new Map<number, string>()
  #wrappedPrototype: unknown
  #count = 0
  /** Inside a wrapped function, whose own calls of wrapped functions do not count. */
  #isInside = false

  constructor(order: HookOrder, fs: Fs) {
    this.#order = order
    this.#fs = fs
    this.#original = { ...fs }
    this.#log = this.#original.openSync(order.log, 'a')
    this.#changes =
      order.withChanges === true ? new ChangeLog(this.#original, this.#write) : undefined
  }

  install(): void {
    const fs = this.#fs as unknown as Functions
    const promises = this.#fs.promises as unknown as Functions
    const { open } = this.#fs.promises
    this.#replace(promises, 'open', () => async (_, args) => {
      const handle = await open(...(args as Parameters<typeof open>))
      this.#wrapHandles(handle)
      return handle
    })
    for (const [name, shape] of Object.entries({ ...pathFunctions, ...descriptorFunctions })) {
      this.#replace(fs, `${name}Sync`, (original) => this.#wrapSync(name, shape, original))
      if (shape.isSyncOnly === true) continue
      this.#replace(fs, name, (original) => this.#wrapCallback(name, shape, original))
      if (!(name in pathFunctions)) continue
      this.#replace(promises, name, (original) => this.#wrapPromise(name, shape, original))
    }
    this.#forgetClosed(fs)
    this.#changes?.watchStarts()
  }

  remove(): void {
    for (const restore of this.#restores.reverse()) restore()
    this.#original.closeSync(this.#log)
  }

  #replace(owner: Functions, name: string, make: (original: AnyFunction) => Wrapped): void {
    const original = owner[name]
    if (original === undefined) return
    const wrapped = make(original)
    const replacement: AnyFunction = function (...args) {
      return wrapped(this, args)
    }
    // `fs.read` and `fs.write` carry argument names for `util.promisify`, `realpath` has `native`.
    owner[name] = Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original))
    this.#restores.push(() => (owner[name] = original))
  }

  #write = (line: object): void => {
    this.#original.writeSync(this.#log, `${JSON.stringify(line)}\n`)
  }

  #wrapSync(name: string, shape: OperationShape, original: AnyFunction): Wrapped {
    return (owner, args) => {
      const operation = this.#isInside ? undefined : this.#enter(name, shape, args, owner)
      if (operation === undefined) return original.apply(owner, args)
      const fault = this.#faultFor(operation)
      if (fault?.how === 'delay') sleep()
      this.#failBefore(fault, operation)
      this.#isInside = true
      try {
        const before = this.#changes?.before(operation, args)
        const short = fault?.how === 'short' ? halved(args, shape) : args
        const result = original.apply(owner, short)
        this.#opened(name, result, operation)
        this.#changes?.after(operation, short, result, before)
        this.#failAfter(fault, operation, shape)
        return result
      } finally {
        this.#isInside = false
      }
    }
  }

  #wrapCallback(name: string, shape: OperationShape, original: AnyFunction): Wrapped {
    return (owner, args) => {
      const done = args.at(-1)
      const operation = this.#isInside ? undefined : this.#enter(name, shape, args, owner)
      if (operation === undefined || typeof done !== 'function') return original.apply(owner, args)
      const fault = this.#faultFor(operation)
      const rest = args.slice(0, -1)
      try {
        this.#failBefore(fault, operation)
      } catch (error) {
        process.nextTick(done, error)
        return undefined
      }
      const before = this.#changes?.before(operation, rest)
      const short = fault?.how === 'short' ? halved(rest, shape) : rest
      return original.call(owner, ...short, (error: unknown, ...results: unknown[]) => {
        let failure = error
        if (error === null) {
          this.#opened(name, results[0], operation)
          this.#changes?.after(operation, short, results[0], before)
          try {
            this.#failAfter(fault, operation, shape)
          } catch (late) {
            failure = late
          }
        }
        done(failure, ...results)
      })
    }
  }

  #wrapPromise(name: string, shape: OperationShape, original: AnyFunction): Wrapped {
    return async (owner, args) => {
      const operation = this.#enter(name, shape, args, owner)
      if (operation === undefined) return original.apply(owner, args)
      const fault = this.#faultFor(operation)
      if (fault?.how === 'delay') await new Promise((resolve) => setTimeout(resolve, delayMs))
      this.#failBefore(fault, operation)
      const subject = shape.subject === 'handle' ? [owner, ...args] : args
      const before = this.#changes?.before(operation, subject)
      const short = fault?.how === 'short' ? halved(subject, shape) : subject
      const own = shape.subject === 'handle' ? short.slice(1) : short
      const result = await original.apply(owner, own)
      this.#opened(name, (result as { fd?: number } | undefined)?.fd, operation)
      this.#changes?.after(operation, short, result, before)
      this.#failAfter(fault, operation, shape)
      return result
    }
  }

  /** The class is not exported: the first handle shows its prototype. */
  #wrapHandles(handle: unknown): void {
    const prototype = Object.getPrototypeOf(handle) as Functions
    if (this.#wrappedPrototype === prototype) return
    this.#wrappedPrototype = prototype
    for (const [name, shape] of Object.entries(handleMethods)) {
      this.#replace(prototype, name, (original) => this.#wrapPromise(name, shape, original))
    }
  }

  #forgetClosed(fs: Functions): void {
    for (const name of ['closeSync', 'close']) {
      this.#replace(fs, name, (original) => (_, args) => {
        this.#open.delete(args[0] as number)
        return original(...args)
      })
    }
  }

  /** The operation, when it concerns a file below the root. */
  #enter(
    name: string,
    shape: OperationShape,
    args: readonly unknown[],
    owner: unknown,
  ): Operation | undefined {
    const file = this.#pathOf(shape, args, owner)
    const to = shape.hasSecondPath === true ? path.resolve(String(args[1])) : undefined
    const subject = name === 'symlink' ? to : file
    const { root } = this.#order
    if (
      subject === undefined ||
      !(isBelow(root, subject) || (to !== undefined && isBelow(root, to)))
    )
      return undefined
    const kind = name === 'open' ? openKind(args[1]) : shape.kind
    const operation: Operation = { index: this.#count, name, kind, path: subject }
    if (to !== undefined) operation.to = to
    this.#count += 1
    if (this.#order.fault === undefined) this.#write(operation)
    return operation
  }

  #pathOf(shape: OperationShape, args: readonly unknown[], owner: unknown): string | undefined {
    if (shape.subject === 'handle') return this.#open.get((owner as { fd: number }).fd)
    const [first] = args
    if (shape.subject === 'descriptor') return this.#open.get(first as number)
    if (typeof first === 'number') return this.#open.get(first)
    if (typeof first === 'object' && first !== null && 'fd' in first) {
      return this.#open.get((first as { fd: number }).fd)
    }
    if (first instanceof URL) return process.getBuiltinModule('node:url').fileURLToPath(first)
    return typeof first === 'string' || Buffer.isBuffer(first)
      ? path.resolve(String(first))
      : undefined
  }

  #opened(name: string, descriptor: unknown, operation: Operation): void {
    if (name === 'open' && typeof descriptor === 'number') {
      this.#open.set(descriptor, operation.path)
    }
  }

  /** The ordered fault, when this operation is the one or a later one that it also concerns. */
  #faultFor(operation: Operation): Fault | undefined {
    const { fault } = this.#order
    if (fault === undefined || operation.index < fault.index) return undefined
    if (operation.index > fault.index) {
      return fault.how === 'from-here' && isConcerned(fault.errno ?? 'EIO', operation.kind)
        ? fault
        : undefined
    }
    // This run takes another path than the planned one.
    if (fault.how === 'short' && operation.kind !== 'write') return undefined
    this.#write({ fault: fault.how, errno: fault.errno, ...operation })
    return fault
  }

  #failBefore(fault: Fault | undefined, operation: Operation): void {
    if (fault?.how === 'kill-before') die()
    if (fault?.how === 'error' || fault?.how === 'from-here') {
      throw systemError(fault.errno ?? 'EIO', operation)
    }
  }

  #failAfter(fault: Fault | undefined, operation: Operation, shape: OperationShape): void {
    if (fault?.how === 'kill-after') die()
    if (fault?.how === 'late-error') throw systemError(fault.errno ?? 'EIO', operation)
    // A whole write continues after a short one and meets the full disk.
    if (fault?.how === 'short' && shape.isWholeWrite === true)
      throw systemError('ENOSPC', operation)
  }
}

function openKind(flags: unknown): OperationKind {
  const { O_ACCMODE = 3, O_RDONLY } = process.getBuiltinModule('node:fs')
    .constants as unknown as Record<string, number>
  if (typeof flags === 'number') return (flags & O_ACCMODE) === O_RDONLY ? 'open' : 'create'
  return flags === undefined || flags === 'r' || typeof flags === 'function' ? 'open' : 'create'
}

/** Which operations fail while a disk is full, read-only or broken, or descriptors are used up. */
export function isConcerned(errno: string, kind: OperationKind): boolean {
  if (errno === 'EMFILE') return kind === 'open' || kind === 'create'
  if (errno === 'ENOSPC') return kind === 'create' || kind === 'write' || kind === 'folder'
  if (errno === 'EROFS') return isMutating(kind)
  return true
}

const messages: Readonly<Record<string, [number, string]>> = {
  EIO: [-5, 'i/o error'],
  EACCES: [-13, 'permission denied'],
  EMFILE: [-24, 'too many open files'],
  ENOSPC: [-28, 'no space left on device'],
  EROFS: [-30, 'read-only file system'],
}

function systemError(errno: string, { name, path: file }: Operation): Error {
  const [number, text] = messages[errno] ?? [-5, 'i/o error']
  const error = new Error(`${errno}: ${text}, ${name} '${file}'`)
  return Object.assign(error, { errno: number, code: errno, syscall: name, path: file })
}

/** The arguments with half of the data. */
function halved(args: readonly unknown[], shape: OperationShape): unknown[] {
  const [subject, data, ...rest] = args
  if (Array.isArray(data)) {
    const all = Buffer.concat(data as Uint8Array[])
    return [subject, [all.subarray(0, all.length >> 1)], ...rest]
  }
  if (typeof data === 'string') {
    const bytes = Buffer.from(data)
    return [subject, bytes.subarray(0, bytes.length >> 1), ...(shape.isWholeWrite ? rest : [])]
  }
  if (!(data instanceof Uint8Array)) return [subject, '', ...rest]
  if (shape.isWholeWrite === true) return [subject, data.subarray(0, data.length >> 1), ...rest]
  const [offset = 0, length = data.length - Number(offset), position] = rest
  return [subject, data, offset, Number(length) >> 1, position]
}

function sleep(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs)
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) sleep()
}
