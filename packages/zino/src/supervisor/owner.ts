// One supervisor owns a data folder. It holds a lock there and names itself, so that a second one fails
// at once and says which process is first.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import type { Lock } from '@zee/core/lock'
import { acquireLock } from '@zee/core/lock'
import type { ZinoConfig } from '../config/config.ts'
import { makeFolder } from '../make-folder.ts'
import { isMessage } from '../wire/wire.ts'

export async function claimDataFolder(config: ZinoConfig, configFile: string): Promise<Lock> {
  const folder = path.resolve(config.mem.data_dir)
  makeFolder(folder, 0o700, 'the data folder')
  const ownerFile = path.join(folder, 'owner.json')
  let lock: Lock
  try {
    lock = await acquireLock(path.join(folder, 'owner.lock'), { waitMs: 0 })
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== 'lock_timeout') throw error
    throw alreadyUp(readOwner(ownerFile), folder)
  }
  const owner = { pid: process.pid, config: configFile }
  await writeJsonAtomic(ownerFile, owner, { mode: 0o600, durable: false })
  return lock
}

export function alreadyUp(owner: string, where: string): ZeeError {
  const message = `zino is already up on ${where} (${owner}): see 'zino status'`
  return new ZeeError('already_running', message)
}

function readOwner(file: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isMessage(owner)) return `pid ${String(owner.pid)}, configuration ${String(owner.config)}`
  } catch {
    // The first one is just starting.
  }
  return 'its owner is just starting'
}
