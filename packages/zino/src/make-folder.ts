// Creates a folder and its parents without rights for others, whatever the umask.
// Node's recursive mkdir is not used: it loops forever where mkdir always fails with ENOENT (/proc).
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'

/** Creates `folder`; `what` names it in the error: "cannot make the socket folder /x: ...". */
export function makeFolder(folder: string, mode: 0o700 | 0o750, what: string): void {
  const before = process.umask(0o777 & ~mode)
  try {
    makeWithParents(path.resolve(folder))
  } catch (error) {
    throw fileError(`make ${what}`, folder, error)
  } finally {
    process.umask(before)
  }
}

function makeWithParents(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'EEXIST' && statSync(folder).isDirectory()) return
    const parent = path.dirname(folder)
    if (errno !== 'ENOENT' || existsSync(parent)) throw error
    makeWithParents(parent)
    makeWithParents(folder)
  }
}
