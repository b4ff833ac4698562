// `zcl runs list`: lists runs, newest first.
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { runFolders } from '@zee/evidence/runs'
import { countRun, type RunCounts } from '@zee/evidence/statistics'
import { outRootFor } from '../../config/config.ts'
import { pluralize } from '../../output/output.ts'
import { printList, type ListOptions } from '../list/list.ts'

export async function runRunsList(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  const suiteId = options.suite === undefined ? undefined : kebabId(options.suite)
  const found = summaries(absolute, suiteId)
  const rows = (run: RunCounts) => [
    run.runId,
    run.suiteId,
    pluralize(run.attempts, 'attempt'),
    `${run.passed} passed`,
    `${run.failed} failed`,
    `${run.infra} infra`,
    `${run.missingFeedback} missing`,
    run.pinned ? 'pinned' : '',
  ]
  await printList(host, 'runs', found, options, (run) => run, rows, [], [2, 3, 4, 5, 6])
  return 0
}

function* summaries(outRoot: string, suiteId: string | undefined): Generator<RunCounts> {
  for (const folder of runFolders(outRoot)) {
    const run = countRun(folder)
    if (suiteId === undefined || run.suiteId === suiteId) yield run
  }
}
