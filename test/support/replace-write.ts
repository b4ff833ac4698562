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

/** `replacement` receives the real function. */
export function replaceWrite(replacement: (write: Write) => Write): void {
  const builtin = createRequire(import.meta.url)('node:fs') as typeof fs
  const original = builtin.writeSync
  const put = (writeSync: unknown): void => {
    Object.assign(builtin, { writeSync })
    syncBuiltinESMExports()
  }
  put(replacement(original))
  onTestFinished(() => put(original))
}

/** Makes the next flush by `fdatasyncSync` fail. */
export function failNextFlush(): void {
  const builtin = createRequire(import.meta.url)('node:fs') as typeof fs
  const { fdatasyncSync } = builtin
  const put = (flush: typeof fdatasyncSync): void => {
    Object.assign(builtin, { fdatasyncSync: flush })
    syncBuiltinESMExports()
  }
  put(() => {
    put(fdatasyncSync)
    throw Object.assign(new Error('input/output error'), { code: 'EIO' })
  })
  onTestFinished(() => put(fdatasyncSync))
}

export function diskFull(): Error {
  return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}
