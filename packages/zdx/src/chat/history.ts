// The line history of the chat, stored across runs in a file of mode 0600.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'

export const maxHistoryLines = 1000

/** The latest lines, newest first. A file of more than twice the limit is truncated. */
export function loadHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const latest = lines.slice(-maxHistoryLines)
    if (lines.length > 2 * maxHistoryLines) {
      writeFileSync(file, `${latest.join('\n')}\n`, { mode: 0o600 })
    }
    return latest.reverse()
  } catch {
    return []
  }
}

export function appendHistory(file: string, line: string): void {
  try {
    ensureFolder(path.dirname(file), 0o700)
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
  } catch {
    // Best effort: the chat works without a history.
  }
}
