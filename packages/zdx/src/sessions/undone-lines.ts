// Formats the files of an undo or a redo, one line each.
import { oneLine } from '@zee/core/errors'
import type { Undone } from '@zee/agent/undo'

export function undoneLines({ files, removed }: Undone): string {
  const gone = new Set(removed)
  return files
    .map((file) => `${gone.has(file) ? 'Removed' : 'Restored'} ${oneLine(file)}\n`)
    .join('')
}
