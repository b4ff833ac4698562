// The empty working folder of an attempt (`cwd.mode: temp_empty_per_attempt`). A kept one is moved to
// `workspace/` in the folder of the attempt.
import { promises } from 'node:fs'
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'
import { scratchFolder } from '@zee/evidence/layout'
import type { Lab, TryResult } from '../../attempt/attempt.ts'
import type { FlowSpec } from '../campaign.ts'

/** Runs with an empty folder if the flow wants one; `folder` is that of the specification. */
export async function withEmptyFolder(
  { runner }: FlowSpec,
  folder: string,
  lab: Lab,
  run: (place: { cwd?: string }) => Promise<TryResult>,
): Promise<TryResult> {
  if (runner.cwd?.mode !== 'temp_empty_per_attempt') return run({})
  const { basePath, retain } = runner.cwd
  const base =
    basePath === undefined ? scratchFolder(lab.outRoot, lab.runId) : path.resolve(folder, basePath)
  const cwd = path.join(base, `work-${randomHex(6)}`)
  ensureFolder(cwd)
  try {
    const result = await run({ cwd })
    const isKept =
      retain === true ||
      retain === 'always' ||
      (retain === 'on_failure' && result.outcome !== 'passed')
    if (isKept) await move(cwd, path.join(result.folder, 'workspace'))
    return result
  } finally {
    await promises.rm(cwd, { recursive: true, force: true })
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await promises.rename(from, to)
  } catch {
    // `basePath` may be on another file system.
    await promises.cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}
