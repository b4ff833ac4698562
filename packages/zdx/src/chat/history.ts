// The lines that were typed before, kept across runs in a file that only its owner reads.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'

export const historyLines = 1000

/** Newest first, as an editor wants it. A file that has grown far beyond need is cut. */
export function recall(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const latest = lines.slice(-historyLines)
    if (lines.length > 2 * historyLines) {
      writeFileSync(file, `${latest.join('\n')}\n`, { mode: 0o600 })
    }
    return latest.reverse()
  } catch {
    return []
  }
}

export function remember(file: string, line: string): void {
  try {
    ensureFolder(path.dirname(file), 0o700)
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
  } catch {
    // A history that cannot be kept is no reason to stop a conversation.
  }
}
