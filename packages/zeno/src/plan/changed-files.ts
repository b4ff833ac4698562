// Lists the files changed on a branch or in the working tree, with git.
import { oneLine, ZeeError } from '@zee/core/errors'
import { runProcess } from '@zee/core/process'

export interface ChangedQuery {
  folder: string
  base?: string | undefined
  head?: string | undefined
  env: Readonly<Record<string, string | undefined>>
}

const deadlineMs = 30_000
const captureBytes = 16 * 1024 * 1024

/** Lists the files changed on `head` since its merge base with `base`; without a base, uncommitted changes. */
export async function changedFiles(query: ChangedQuery): Promise<string[]> {
  const { folder, base, head = 'HEAD', env } = query
  const range = base === undefined ? head : `${base}...${head}`
  const args = ['-C', folder, 'diff', '--name-only', '--diff-filter=d', '-z', range, '--']
  const result = await runProcess({ command: 'git', args, env, deadlineMs, captureBytes })
  if (result.outcome !== 'exited' || result.exitCode !== 0) {
    const gitMessage = oneLine(result.stderr.text().split('\n')[0] ?? '')
    const reason = result.error ?? (result.timedOut ? 'git timed out' : gitMessage)
    throw new ZeeError('git', `cannot list the changed files of ${oneLine(range)}: ${reason}`)
  }
  return result.stdout
    .text()
    .split('\0')
    .filter((file) => file !== '')
}
