// The mark of a run whose import has not ended: its attempts are incomplete. Lists leave such a run out,
// and a command that names it is refused. The same import, run again, completes it.
import { existsSync } from 'node:fs'
import path from 'node:path'

export const importMarkName = '.importing'

export function isBeingImported(runFolder: string): boolean {
  return existsSync(path.join(runFolder, importMarkName))
}
