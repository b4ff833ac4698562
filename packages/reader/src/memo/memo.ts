// Answers of sub-calls on disk, by the hash of everything they depend on. A damaged file is ignored and written again.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { ensureFolder } from '@zee/core/folders'
import { parseObject } from '@zee/core/json'

export interface Memo {
  get(key: string): string | undefined
  /** Best effort: a full disk costs only the next run its time. */
  set(key: string, answer: string): Promise<void>
}

const version = 1

/** `folder` is created on demand. */
export function openMemo(folder: string): Memo {
  const fileOf = (key: string): string => path.join(folder, key.slice(0, 2), `${key}.json`)
  return {
    get(key) {
      try {
        const entry = parseObject(readFileSync(fileOf(key), 'utf8'))
        if (entry?.version !== version || entry.key !== key) return undefined
        const { answer } = entry
        if (typeof answer !== 'string' || entry.sha256 !== digest(answer)) return undefined
        return answer
      } catch {
        return undefined
      }
    },
    async set(key, answer) {
      const file = fileOf(key)
      try {
        ensureFolder(path.dirname(file), 0o700)
        const entry = { version, key, answer, sha256: digest(answer) }
        await writeJsonAtomic(file, entry, { mode: 0o600 })
      } catch {
        // The answer is used now, and asked for again next time.
      }
    },
  }
}

/** The key of an answer, from everything that it depends on. */
export function memoKey(...inputs: unknown[]): string {
  return digest(JSON.stringify([version, ...inputs]))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
