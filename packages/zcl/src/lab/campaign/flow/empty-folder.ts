// The empty working folder of an attempt (`cwd.mode: temp_empty_per_attempt`). A kept one is moved to
// `workspace/` in the folder of the attempt.
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'
import { workspacesFolder } from '@zee/evidence/layout'
import type { Lab, TryResult } from '../../attempt/attempt.ts'
import { keptWorkspaceName, leaseFolder } from '../../workspace/workspace.ts'
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
  const parent =
    basePath === undefined ? workspacesFolder(lab.outRoot) : path.resolve(folder, basePath)
  const leased = await leaseFolder(parent, `work-${randomHex(6)}`)
  let keepAs: string | undefined
  try {
    ensureFolder(leased.path)
    const result = await run({ cwd: leased.path })
    const isKept =
      retain === true ||
      retain === 'always' ||
      (retain === 'on_failure' && result.outcome !== 'passed')
    if (isKept) keepAs = path.join(result.folder, keptWorkspaceName)
    return result
  } finally {
    await leased.close(keepAs)
  }
}
