// How far an index is, on one line of a terminal that is written over and taken away at the end.
import type { Host } from '@zee/core/exit'
import type { IndexStats } from '../engine/engine.ts'

const refreshMs = 100
/** So few are read with the next answer. */
const maxHiddenPending = 64

/** Shows it as long as there is something to show; `stop` ends that. */
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
