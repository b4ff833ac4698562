// What the calls of a turn do to files, for an editor that shows differences: the contents before and
// after, read in the moment before a change.
import type { Diff } from '@agentclientprotocol/sdk'
import type { BeforeChange, FileChange } from '@zee/agent'
import { readFileSync, statSync } from 'node:fs'

/** Larger files are shown as changed, without the difference. */
const mostBytes = 1024 * 1024

export class FileChanges {
  readonly #diffs = new Map<string, Diff>()

  /** Records the diff of each change, then returns the decision of `next`. */
  watch(next: BeforeChange | undefined): BeforeChange {
    return async (change) => {
      const diff = diffOf(change)
      if (diff !== undefined) this.#diffs.set(change.callId, diff)
      return next === undefined ? { ok: true } : next(change)
    }
  }

  of(callId: string): Diff | undefined {
    return this.#diffs.get(callId)
  }
}

function diffOf({ path, exists, after }: FileChange): Diff | undefined {
  if (after.length > mostBytes) return undefined
  const newText = Buffer.from(after).toString('utf8')
  if (!exists) return { path, oldText: null, newText }
  if (statSync(path).size > mostBytes) return undefined
  return { path, oldText: readFileSync(path, 'utf8'), newText }
}
