// `zcl pin`: protects a run from `zcl gc`.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { artifactName, runFolder } from '@zee/evidence/layout'
import { pinRun } from '@zee/evidence/retention'
import { outRootFor } from '../config/config.ts'
import { printJson, printLines } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'

export interface PinOptions {
  runId: string
  on: boolean
  off: boolean
  outRoot: string | undefined
  json: boolean
}

export async function runPin(options: PinOptions, host: Host): Promise<number> {
  const { runId } = options
  if (options.on === options.off) throw zclError('ZCL_E_USAGE', 'give one of --on and --off')
  const outRoot = await outRootFor(host, options.outRoot)
  await pinRun(runFolder(outRoot.absolute, runId), options.on)
  const file = path.join(runFolder(outRoot.shown, runId), artifactName.run)
  if (options.json) printJson(host, { ok: true, runId, pinned: options.on, path: file })
  else printLines(host, [`${runId} ${options.on ? 'pinned' : 'no longer pinned'}`])
  return 0
}
