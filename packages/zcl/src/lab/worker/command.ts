// `zcl worker`: more hands for any run below the output root, or one job alone.
import { outRootFor } from '../../config/config.ts'
import { printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { catchInterrupts, exitCodeAfter, type Interrupt } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { checkQueueUrl, openRuns, pause } from '../queue/queue.ts'
import { Helper } from './helper.ts'
import { runJob } from './job.ts'
import type { WorkerOptions } from './options.ts'

const watchEveryMs = 1000

export async function runWorker(options: WorkerOptions, call: LabCall): Promise<number> {
  checkQueueUrl(options.queue)
  if (options.job === undefined && options.pack !== undefined) {
    throw zclError('ZCL_E_USAGE', '--pack needs --job')
  }
  const interrupt = catchInterrupts()
  try {
    if (options.job !== undefined) {
      return await runJob(options.job, options, call, interrupt)
    }
    return await joinRuns(options, call, interrupt)
  } finally {
    interrupt.detach()
  }
}

async function joinRuns(
  options: WorkerOptions,
  call: LabCall,
  interrupt: Interrupt,
): Promise<number> {
  const { host } = call
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const kind = options.queue === undefined ? 'folder' : 'redis'
  const helper = new Helper(outRoot, options, call, interrupt)
  while (!interrupt.signal.aborted) {
    const runs = openRuns(outRoot, kind).filter((id) => (options.runId ?? id) === id)
    for (const runId of runs) await helper.join(runId)
    if (!options.watch) break
    await pause(watchEveryMs, interrupt.signal)
  }
  const { counts } = helper
  if (options.json) printJson(host, { ok: counts.failed + counts.infra === 0, ...counts })
  else printLines(host, [`${counts.attempts} attempts: ${counts.passed} passed`])
  return exitCodeAfter(interrupt)
}
