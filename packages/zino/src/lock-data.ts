// Locks what one service writes in the data folder. A second process would take the work of the first one
// for that of a dead process, and repeat it.
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Lock, LockOptions } from '@zee/core/lock'
import { acquireLock } from '@zee/core/lock'
import { makeFolder } from './make-folder.ts'
import type { ServiceContext } from './service/service.ts'

/** A stopping service holds its lock for a moment longer. */
const lockWaitMs = 4000

/** The lock of `service` in the data folder; throws `lock_timeout` while another process holds it. */
export async function lockData(
  folder: string,
  service: string,
  options: LockOptions,
): Promise<Lock> {
  const file = path.join(folder, `${service}.lock`)
  const lock = await acquireLock(file, options)
  try {
    // Lock files are world-readable by default; nothing in this folder may be.
    chmodSync(file, 0o600)
    return lock
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Locks the files of a service that also works when the disk takes no lock: it resolves to undefined then,
 * with a warning. Throws `in_use` while another process runs the service on this folder.
 */
export async function lockServiceData(
  { config, log }: Pick<ServiceContext, 'config' | 'log'>,
  service: string,
): Promise<Lock | undefined> {
  const folder = path.resolve(config.mem.data_dir)
  try {
    makeFolder(folder, 0o700, 'the data folder')
    return await lockData(folder, service, { waitMs: lockWaitMs })
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'lock_timeout') {
      throw new ZeeError('in_use', `another ${service} uses ${folder}: ${error.message}`)
    }
    log.warn(`the files of ${service} are not locked: ${reasonOf(error)}`)
    return undefined
  }
}
