// Locks what one service writes in the data folder. A second process would take the work of the first one
// for that of a dead process, and repeat it.
import { chmodSync } from 'node:fs'
import path from 'node:path'
import type { Lock, LockOptions } from '@zee/core/lock'
import { acquireLock } from '@zee/core/lock'

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
