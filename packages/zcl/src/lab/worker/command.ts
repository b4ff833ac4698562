// `zcl worker`: processes slots of any run below the output root, or runs a single job file.
import { outRootFor } from '../../config/config.ts'
import { printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { catchInterrupts, interruptExitCode, type Interrupt } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { checkQueueUrl, runsWithQueue, pause } from '../queue/queue.ts'
import { RunWorker } from './run-worker.ts'
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
  const worker = new RunWorker(outRoot, options, call, interrupt)
  while (!interrupt.signal.aborted) {
    const runs = runsWithQueue(outRoot, kind).filter((id) => (options.runId ?? id) === id)
    for (const runId of runs) await worker.join(runId)
    if (!options.watch) break
    await pause(watchEveryMs, interrupt.signal)
  }
  const { counts } = worker
  if (options.json) printJson(host, { ok: counts.failed + counts.infra === 0, ...counts })
  else printLines(host, [`${counts.attempts} attempts: ${counts.passed} passed`])
  return interruptExitCode(interrupt)
}
