// Pins a run, so that garbage collection leaves it alone, or lets it go again.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { withLock } from '@zee/core/lock'
import { artifactError } from './artifact-error.ts'
import { isFolder, readJsonArtifact } from './artifact-file.ts'
import { zclError } from './errors.ts'
import { artifactText, refuseLink } from './json-text.ts'
import { artifactName } from './layout.ts'
import { longestWaitMs } from './limits.ts'

/** Everything else in run.json stays as it is; a run that is already so is not written. */
export async function pinRun(runFolder: string, pinned: boolean): Promise<void> {
  const file = path.join(runFolder, artifactName.run)
  if (!isFolder(runFolder))
    throw zclError('ZCL_E_USAGE', `there is no run ${path.basename(runFolder)}`)
  await withLock(path.join(runFolder, 'run.lock'), { waitMs: longestWaitMs }, async () => {
    refuseLink(runFolder, artifactName.run)
    const read = readJsonArtifact({ path: runFolder, within: runFolder }, artifactName.run)
    if (read.failure !== undefined) throw artifactError(read, file)
    if ((read.value.pinned === true) === pinned) return
    const { pinned: _, ...rest } = read.value
    await writeFileAtomic(file, artifactText(pinned ? { ...rest, pinned } : rest))
  })
}
