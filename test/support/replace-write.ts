// Replaces functions of `node:fs` until the end of a test, also for modules that are loaded.
import type * as fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** The form in which core and zino call `writeSync`. */
export type Write = (
  descriptor: number,
  bytes: Buffer,
  offset: number,
  length: number,
  position: number,
) => number

const builtin = createRequire(import.meta.url)('node:fs') as typeof fs

function put(functions: object): void {
  Object.assign(builtin, functions)
  syncBuiltinESMExports()
}

/** `replacement` receives the real function. */
export function replaceWrite(replacement: (write: Write) => Write): void {
  const { writeSync } = builtin
  put({ writeSync: replacement(writeSync as Write) })
  onTestFinished(() => put({ writeSync }))
}

/** Makes the next flush by `fdatasyncSync` fail. */
export function failNextFlush(): void {
  const { fdatasyncSync } = builtin
  const failOnce = (): void => {
    put({ fdatasyncSync })
    throw diskError()
  }
  put({ fdatasyncSync: failOnce })
  onTestFinished(() => put({ fdatasyncSync }))
}

/** Makes each flush of a folder by `fsync` fail. */
export function failFolderFlushes(): void {
  const { fsync } = builtin
  const failForFolders = (descriptor: number, done: fs.NoParamCallback): void => {
    if (builtin.fstatSync(descriptor).isDirectory()) setImmediate(done, diskError())
    else fsync(descriptor, done)
  }
  put({ fsync: failForFolders })
  onTestFinished(() => put({ fsync }))
}

function diskError(): Error {
  return Object.assign(new Error('input/output error'), { code: 'EIO' })
}

export function diskFull(): Error {
  return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}
