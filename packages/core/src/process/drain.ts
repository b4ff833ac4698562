// Decides how long to read a child's pipes after its exit, while another process holds them open.
import type { OutputSource } from './output-source.ts'

// All processes of the session have been killed by then, so little output can follow.
const urgentSilenceMs = 100

export interface DrainLimits {
  /** Silence after which reading stops. */
  silenceMs: number
  /** Maximum reading time even without silence, excluding time spent waiting for our own reader. */
  limitMs: number
  /** After a deadline, an abort or a forwarded signal: a slow reader gets no more time. */
  isUrgent(): boolean
}

/** Resolves when all output is read and consumed, or when a limit is reached. */
export function drain(sources: readonly OutputSource[], limits: DrainLimits): Promise<void> {
  if (sources.every((source) => source.isEnded)) return Promise.resolve()
  return new Promise((resolve) => {
    const tickMs = Math.min(Math.max(limits.silenceMs / 20, 1), 50)
    const timer = setInterval(() => {
      if (isOver(sources, limits, progress, tickMs)) finish()
    }, tickMs)
    const progress: Progress = { chunks: countChunks(sources), silentMs: 0, readingMs: 0 }
    const finish = (): void => {
      clearInterval(timer)
      resolve()
    }
    void Promise.all(sources.map((source) => source.ended)).then(finish)
  })
}

interface Progress {
  chunks: number
  silentMs: number
  readingMs: number
}

function isOver(
  sources: readonly OutputSource[],
  limits: DrainLimits,
  progress: Progress,
  tickMs: number,
): boolean {
  const chunks = countChunks(sources)
  const isUrgent = limits.isUrgent()
  const isStalled = sources.some((source) => source.isStalled) && !isUrgent
  if (!isStalled) progress.readingMs += tickMs
  const isSilent = !isStalled && chunks === progress.chunks
  progress.silentMs = isSilent ? progress.silentMs + tickMs : 0
  progress.chunks = chunks
  const maxSilenceMs = isUrgent ? Math.min(limits.silenceMs, urgentSilenceMs) : limits.silenceMs
  return progress.silentMs >= maxSilenceMs || progress.readingMs >= limits.limitMs
}

function countChunks(sources: readonly OutputSource[]): number {
  return sources.reduce((sum, source) => sum + source.chunks, 0)
}
