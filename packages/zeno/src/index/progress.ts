// Shows indexing progress on one terminal line, which is overwritten in place and cleared at the end.
import type { Host } from '@zee/core/exit'
import type { IndexStats } from '../engine/engine.ts'

const refreshMs = 100
/** The next answer reads up to this number of pending files, so progress is not shown for them. */
const maxHiddenPending = 64

/** Refreshes the line until the returned function is called. */
export function showProgress(host: Host, stats: () => IndexStats | undefined): () => void {
  let shown = ''
  const show = (line: string): void => {
    if (line === shown) return
    shown = line
    host.stderr.write(`\r\x1b[K${line}`)
  }
  const timer = setInterval(() => show(progressLine(stats())), refreshMs).unref()
  return () => {
    clearInterval(timer)
    show('')
  }
}

function progressLine(stats: IndexStats | undefined): string {
  if (stats === undefined || (stats.state !== 'loading' && stats.pending <= maxHiddenPending))
    return ''
  return `indexing: ${stats.files - stats.pending} of ${stats.files} files`
}
