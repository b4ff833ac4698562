// Creates a folder and its parents without rights for others, whatever the umask. They survive a power cut.
import path from 'node:path'
import { fileError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'

/** Creates `folder`; `what` names it in the error: "cannot make the socket folder /x: ...". */
export function makeFolder(folder: string, mode: 0o700 | 0o750, what: string): void {
  const before = process.umask(0o777 & ~mode)
  try {
    ensureDurableFolder(path.resolve(folder), mode)
  } catch (error) {
    throw fileError(`make ${what}`, folder, error)
  } finally {
    process.umask(before)
  }
}
