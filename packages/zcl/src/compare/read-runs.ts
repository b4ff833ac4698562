// Reads the runs named on the command line; a run that is named twice counts once.
import type { Host } from '@zee/core/exit'
import { readRunFacts, type RunFacts } from '@zee/evidence/statistics'
import { costOf } from '../cost/cost.ts'
import { resolveRun } from '../attempts/attempts.ts'
import { Progress } from '../output/output.ts'

export async function readRuns(names: readonly string[], host: Host): Promise<RunFacts[]> {
  const folders = new Set<string>()
  for (const name of names) {
    folders.add((await resolveRun(name, host)).folder)
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
