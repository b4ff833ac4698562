// Questions with known answers from the history of a git repository: the message of a commit, and the files that it
// changed as they were in its parent.
import { execFileSync } from 'node:child_process'

export interface CommitQuestion {
  text: string
  /** The revision to rank: only what was known before the commit. */
  parent: string
  /** Files of the parent that the commit changed or deleted. */
  changed: readonly string[]
}

const maxCommits = 4000
/** A commit that changes more files is a rename, a format run or an import. */
const maxChanged = 10

/** At most `max` questions, evenly spread over the last commits. */
export function commitQuestions(repository: string, max: number): CommitQuestion[] {
  const log = git(repository, [
    'log',
    '--no-merges',
    '--no-renames',
    '--name-status',
    `--max-count=${maxCommits}`,
    '--format=%x01%P%x00%B%x00',
  ])
  const all = log
    .split('\u0001')
    .slice(1)
    .flatMap((entry) => questionIn(entry) ?? [])
  const step = Math.max(1, Math.floor(all.length / max))
  return all.filter((_, at) => at % step === 0).slice(0, max)
}

export function git(repository: string, args: readonly string[], input?: string): string {
  return gitBytes(repository, args, input).toString('utf8')
}

export function gitBytes(repository: string, args: readonly string[], input?: string): Buffer {
  return execFileSync('git', ['-C', repository, ...args], {
    input: input ?? '',
    maxBuffer: 2 ** 31 - 1,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

function questionIn(entry: string): CommitQuestion | undefined {
  const [parents = '', text = '', changes = ''] = entry.split('\0')
  const parent = parents.split(' ')[0] ?? ''
  const rows = changes.split('\n').filter((row) => row !== '')
  const changed = rows.filter((row) => !row.startsWith('A')).map((row) => row.slice(2))
  const isUsual = changed.length > 0 && changed.length <= maxChanged && rows.length <= 20
  const words = (text.trim().split('\n')[0] ?? '').match(/\w{2,}/g) ?? []
  if (parent === '' || !isUsual || words.length < 2) return undefined
  return { text: text.trim(), parent, changed }
}
