// Reports attempts of a run beside the main thread. The worker runs this file as its program.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { readQueued, reportQueued } from '@zee/evidence/report'
import type { AttemptQueue, ReportOptions } from '@zee/evidence/report'
import { costOf } from '../../cost/cost.ts'

export interface ReportThreadData {
  role: 'zcl-report'
  queue: AttemptQueue
  settings: Omit<ReportOptions, 'costOf'>
  /** Whether the reports are written. */
  isStored: boolean
}

export const reportThreadFile = import.meta.filename

async function serve({ queue, settings, isStored }: ReportThreadData): Promise<void> {
  const report = isStored ? reportQueued : readQueued
  parentPort?.postMessage(await report(queue, { ...settings, costOf }), [])
}

const data = workerData as ReportThreadData | null
if (!isMainThread && data?.role === 'zcl-report') void serve(data)
