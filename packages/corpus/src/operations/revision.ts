// Runs an operation at a revision, and cites what it returns: `commit:path:lines`.
import type { Engine } from '../engine.ts'
import { wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import type { Metrics } from './metrics.ts'

/** Arguments of operations that read files. */
export interface RevisionArgs {
  /** A commit, tag, branch or another revision of git; the files on the disk without it. */
  rev?: string | undefined
}

/** Runs steps with the files of `rev`, or with those on the disk if the arguments have none. */
export function* atRevision<Result extends { metrics: Metrics }>(
  engine: Engine,
  args: Arguments,
  steps: (engine: Engine) => Steps<Result>,
): Steps<Result> {
  const rev = textArgument(args, 'rev')
  if (rev === undefined) return yield* steps(engine)
  const reader = yield* wait(engine.revisions.open())
  const revision = reader.at(rev)
  const result = yield* steps({ ...engine, revision, source: revision.source })
  const { metrics, ...rest } = result
  return { ...rest, rev: revision.commit.name, metrics } as unknown as Result
}

/** The citation of lines of a revision; no field for a file on the disk, which its path cites. */
export function citeField(
  { revision }: Engine,
  path: string,
  start: number,
  end = start,
): { cite?: string } {
  if (revision === undefined || start > end) return {}
  const lines = start === end ? `${start}` : `${start}-${end}`
  return { cite: `${revision.commit.name}:${path}:${lines}` }
}
