// Pins a run, so that garbage collection keeps it, or unpins it.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { withLock } from '@zee/core/lock'
import {
  artifactError,
  artifactText,
  isFolder,
  readJsonArtifact,
  refuseLink,
} from '../artifact/artifact.ts'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import { maxLockWaitMs } from '../schema/limits.ts'

/** Sets or removes `pinned` in run.json. Does not write the file if nothing changes. */
export async function pinRun(runFolder: string, pinned: boolean): Promise<void> {
  const file = path.join(runFolder, artifactName.run)
  if (!isFolder(runFolder))
    throw evidenceError('ZCL_E_USAGE', `there is no run ${path.basename(runFolder)}`)
  await withLock(path.join(runFolder, 'run.lock'), { waitMs: maxLockWaitMs }, async () => {
    refuseLink(runFolder, artifactName.run)
    const read = readJsonArtifact({ path: runFolder, within: runFolder }, artifactName.run)
    if (read.failure !== undefined) throw artifactError(read, file)
    if ((read.value.pinned === true) === pinned) return
    const { pinned: _, ...rest } = read.value
    await writeFileAtomic(file, artifactText(pinned ? { ...rest, pinned } : rest))
  })
}
