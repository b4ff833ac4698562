// From what a user typed to the facts of runs; a run that is named twice counts once.
import type { Host } from '@zee/core/exit'
import { readRunFacts, type RunFacts } from '@zee/evidence/statistics'
import { resolveTarget } from '../attempts/attempts.ts'
import { Progress } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'

export async function readRuns(given: readonly string[], host: Host): Promise<RunFacts[]> {
  const folders = new Set<string>()
  for (const each of given) {
    const target = await resolveTarget(each, host)
    if (target.kind !== 'run') throw zclError('ZCL_E_USAGE', `${each} is an attempt, not a run`)
    folders.add(target.folder)
  }
  const progress = new Progress(host)
  try {
    return [...folders].map((folder) => {
      const onAttempt = (done: number, total: number) =>
        progress.show(host.clock.monotonicMs(), `${done} of ${total} attempts`)
      return readRunFacts(folder, { onAttempt })
    })
  } finally {
    progress.end()
  }
}
