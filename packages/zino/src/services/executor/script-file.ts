// Writes code to a private temporary file and removes it afterwards in every case.
import { closeSync, fchmodSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileError } from '@zee/core/errors'
import { randomHex } from '@zee/core/ids'
import type { ScriptReaper } from './script-reaper.ts'
import { scriptPrefix } from './script-reaper.ts'

const plainExtension = /^[A-Za-z0-9._-]{0,32}$/

/** Runs `use` with the path of a file that holds `code`. */
export async function withScriptFile<Result>(
  folder: string,
  extension: string,
  code: string,
  reaper: ScriptReaper,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const suffix = plainExtension.test(extension) ? extension : ''
  const name = `${scriptPrefix}${randomHex(8)}${suffix}`
  const file = path.join(folder, name)
  reaper.track(name)
  try {
    writeScript(file, suffix === '.sh' ? 0o700 : 0o600, code)
    return await use(file)
  } finally {
    remove(file)
    reaper.untrack(name)
  }
}

function writeScript(file: string, mode: number, code: string): void {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      // The umask may have removed permissions that the script needs.
      fchmodSync(descriptor, mode)
      writeFileSync(descriptor, code)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileError('write the script', file, error)
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // It was never created, or the script has removed it.
  }
}
