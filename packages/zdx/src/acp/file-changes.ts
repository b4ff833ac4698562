// Collects a diff per file change of a turn, for editors that show diffs. The old content is read just
// before the change.
import type { Diff } from '@agentclientprotocol/sdk'
import type { BeforeChange, FileChange, Secrets } from '@zee/agent'
import { readFileSync, statSync } from 'node:fs'

/** Larger files are reported as changed, without a diff. */
const maxBytes = 1024 * 1024

export class FileChanges {
  readonly #diffs = new Map<string, Diff>()

  /** A hook that records the diff of a change, then returns the decision of `next`. */
  wrap(next: BeforeChange | undefined, secrets: Secrets | undefined): BeforeChange {
    return async (change) => {
      const diff = diffOf(change)
      if (diff !== undefined) this.#diffs.set(change.callId, await hiddenDiff(diff, secrets))
      return next === undefined ? { ok: true } : next(change)
    }
  }

  diffFor(callId: string): Diff | undefined {
    return this.#diffs.get(callId)
  }
}

/** The editor shows placeholders, as every other output. */
async function hiddenDiff(diff: Diff, secrets: Secrets | undefined): Promise<Diff> {
  if (secrets === undefined) return diff
  const oldText = diff.oldText && (await secrets.hide(diff.oldText))
  return { ...diff, oldText, newText: await secrets.hide(diff.newText) }
}

function diffOf({ path, exists, after }: FileChange): Diff | undefined {
  if (after.length > maxBytes) return undefined
  const newText = Buffer.from(after).toString('utf8')
  if (!exists) return { path, oldText: null, newText }
  if (statSync(path).size > maxBytes) return undefined
  return { path, oldText: readFileSync(path, 'utf8'), newText }
}
