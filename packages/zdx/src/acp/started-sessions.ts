// Remembers sessions that an editor has started without a prompt, so that another process can load them:
// a session file appears with the first prompt.
import { readJournalSync, openJournal } from '@zee/core/journal'
import { rfc3339 } from '@zee/core/clock'
import { ensureDurableFolder } from '@zee/core/folders'
import type { Host } from '@zee/core/exit'
import { existsSync } from 'node:fs'
import path from 'node:path'

export function recordStarted(base: string, id: string, host: Host): void {
  // An editor may be the first to start zdx.
  ensureDurableFolder(base, 0o700)
  const journal = openJournal(startedFile(base))
  try {
    journal.append({ id, ts: rfc3339(host.clock.now(), 0) })
  } finally {
    journal.close()
  }
}

export function wasStarted(base: string, id: string): boolean {
  const file = startedFile(base)
  if (!existsSync(file)) return false
  let isFound = false
  readJournalSync(file, ({ record }) => {
    isFound ||= record.id === id
  })
  return isFound
}

function startedFile(base: string): string {
  return path.join(base, 'editor-sessions.jsonl')
}
