// `zcl gc`: deletes old runs.
import type { Host } from '@zee/core/exit'
import { collectGarbage, defaultAgeMs } from '@zee/evidence/retention'
import type { Collection, RetentionLimits } from '@zee/evidence/retention'
import { recordedNow } from '../clock/clock.ts'
import { outRootFor } from '../config/config.ts'
import {
  aligned,
  formatBytes,
  complain,
  printJson,
  printLines,
  Progress,
} from '../output/output.ts'
import { zclError } from '../errors/errors.ts'

export interface GcOptions {
  olderThan: number | undefined
  maxBytes: number | undefined
  maxAgeDays: number | undefined
  maxTotalBytes: number | undefined
  dryRun: boolean
  yes: boolean
  outRoot: string | undefined
  json: boolean
}

const dayMs = 24 * 60 * 60 * 1000

export async function runGc(options: GcOptions, host: Host): Promise<number> {
  const limits = limitsOf(options)
  const outRoot = await outRootFor(host, options.outRoot)
  const progress = new Progress(host)
  const collection = await collectGarbage(outRoot.absolute, outRoot.shown, {
    limits,
    dryRun: options.dryRun,
    isConfirmed: options.yes,
    now: recordedNow(host),
    onProgress: (done, total, what) =>
      progress.show(host.clock.monotonicMs(), `${done} of ${total} runs ${what}`),
  })
  progress.end()
  const { failed, ...result } = collection
  const { dryRun } = options
  if (options.json) printJson(host, { ok: !failed, outRoot: outRoot.shown, dryRun, ...result })
  else printLines(host, describeCollection(collection, dryRun))
  if (!failed) return 0
  const fault = collection.errors.find(({ code }) => code === 'ZCL_E_IO')
  const deleted = `${collection.deleted.length} runs were deleted`
  complain(host, 'ZCL_E_IO', `${fault?.path}: ${fault?.message}; ${deleted}`)
  return 1
}

/** The limits from the options; without any, the default age of 30 days. */
function limitsOf(options: GcOptions): RetentionLimits {
  const { olderThan, maxAgeDays, maxBytes, maxTotalBytes } = options
  if (olderThan !== undefined && maxAgeDays !== undefined) {
    throw zclError('ZCL_E_USAGE', '--older-than and --max-age-days mean the same; give one')
  }
  if (maxBytes !== undefined && maxTotalBytes !== undefined) {
    throw zclError('ZCL_E_USAGE', '--max-bytes and --max-total-bytes mean the same; give one')
  }
  const age = olderThan ?? (maxAgeDays === undefined ? undefined : maxAgeDays * dayMs)
  const bytes = maxBytes ?? maxTotalBytes
  if (age === undefined && bytes === undefined) return { olderThanMs: defaultAgeMs }
  return {
    olderThanMs: age,
    maxBytes: bytes,
  }
}

function describeCollection(collection: Collection, dryRun: boolean): string[] {
  const { deleted, kept, errors, totalBeforeBytes, totalAfterBytes } = collection
  const rows = [
    ...deleted.map((run) => [
      dryRun ? 'would delete' : 'deleted',
      run.runId,
      formatBytes(run.bytes),
    ]),
    ...errors.map((error) => ['problem', error.runId, error.message]),
  ]
  const verb = dryRun ? 'would be deleted' : 'deleted'
  const sizes = `${formatBytes(totalBeforeBytes)} before, ${formatBytes(totalAfterBytes)} after`
  return [...aligned(rows), `${deleted.length} runs ${verb}, ${kept.length} kept; ${sizes}`]
}
