// Reads the contents of a recorded state: from the copies of the session, or from git by the id of the
// blob. Contents that do not match their hash are damaged.
import type { SessionPaths } from './live-changes.ts'
import type { ReadContents } from './restore.ts'
import type { FileState } from './snapshots/snapshots.ts'
import {
  blobId,
  displayPath,
  findRepository,
  keptFolder,
  readCopy,
  runGit,
  unknownSize,
} from './snapshots/snapshots.ts'

export function contentsReader({ undo, env }: Pick<SessionPaths, 'undo' | 'env'>): ReadContents {
  return async (state) =>
    state.blob === undefined ? readCopy(undo, state) : readBlob(state, undo, env)
}

async function readBlob(
  state: FileState,
  undo: string,
  env: SessionPaths['env'],
): Promise<Buffer | 'missing' | 'damaged'> {
  const { blob = '', top = '' } = state
  const kept = keptFolder(undo, displayPath(top))
  const repository = findRepository(displayPath(top)) ?? { top: displayPath(top), folder: kept }
  const call = { repository, env, signal: new AbortController().signal, kept }
  const contents = await runGit(call, ['cat-file', 'blob', blob])
  if (contents === undefined) return 'missing'
  if (blobId(contents, blob) !== blob) return 'damaged'
  return state.size === unknownSize || contents.length === state.size
    ? contents
    : withLineEnds(contents, state.size)
}

/** Git stores a file with CRLF line ends as LF, if it is configured so. */
function withLineEnds(contents: Buffer, size: number): Buffer | 'missing' {
  const converted = Buffer.from(contents.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
  return converted.length === size ? converted : 'missing'
}
