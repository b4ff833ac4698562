// Starts the thread that reports attempts of a large run beside the main thread.
import { Worker } from 'node:worker_threads'
import type { ReportOptions, RunReportOptions } from '@zee/evidence/report'
import { isLargeRun } from '../../large-run/large-run.ts'
import type { ReportThreadData } from './report-thread.ts'

/** Undefined for a run that one thread reports sooner than a second one starts. */
export async function reportHelper(
  runFolder: string,
  settings: Omit<ReportOptions, 'costOf'>,
  isStored: boolean,
): Promise<RunReportOptions['helper']> {
  if (!isLargeRun(runFolder)) return undefined
  // Imported dynamically, so that the thread gets its own small chunk.
  const { reportThreadFile } = await import('./report-thread.ts')
  return (queue) => {
    const workerData: ReportThreadData = { role: 'zcl-report', queue, settings, isStored }
    const worker = new Worker(reportThreadFile, { workerData })
    return new Promise((resolve) => {
      worker.once('message', resolve)
      // The main thread reports the attempts that a failed thread took.
      worker.once('error', () => resolve(new Map()))
      worker.once('exit', () => resolve(new Map()))
    })
  }
}
