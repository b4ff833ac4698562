// Reads the runs named on the command line; a run that is named twice counts once.
import type { Host } from '@zee/core/exit'
import { readRunFacts, type RunFacts } from '@zee/evidence/statistics'
import { costOf } from '../cost/cost.ts'
import { resolveTarget } from '../attempts/attempts.ts'
import { Progress } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'

export async function readRuns(names: readonly string[], host: Host): Promise<RunFacts[]> {
  const folders = new Set<string>()
  for (const name of names) {
    const target = await resolveTarget(name, host, 'run')
    if (target.kind !== 'run') throw zclError('ZCL_E_USAGE', `${name} is an attempt, not a run`)
    folders.add(target.folder)
  }
  const progress = new Progress(host)
  try {
    return [...folders].map((folder) => {
      const onAttempt = (done: number, total: number) =>
        progress.show(host.clock.monotonicMs(), `${done} of ${total} attempts`)
      return readRunFacts(folder, { onAttempt, costOf })
    })
  } finally {
    progress.end()
  }
}
