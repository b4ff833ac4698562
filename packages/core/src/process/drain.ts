// After a child ended: how long to go on reading pipes that something else still holds open.
import type { OutputSource } from './output-source.ts'

// Whoever could still have something to say has been killed.
const hurriedSilenceMs = 100

export interface DrainLimits {
  /** Silence that counts as the end. */
  silenceMs: number
  /** The end even without silence, not counting time in which our own reader was behind. */
  limitMs: number
  /** Somebody wants this over (deadline, abort, forwarded signal): a slow reader has had its time. */
  isHurried(): boolean
}

/** Resolves when all is read and passed on, or when waiting longer makes no sense. */
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
  const isHurried = limits.isHurried()
  const isStalled = sources.some((source) => source.isStalled) && !isHurried
  if (!isStalled) progress.readingMs += tickMs
  const isSilent = !isStalled && chunks === progress.chunks
  progress.silentMs = isSilent ? progress.silentMs + tickMs : 0
  progress.chunks = chunks
  const enoughMs = isHurried ? Math.min(limits.silenceMs, hurriedSilenceMs) : limits.silenceMs
  return progress.silentMs >= enoughMs || progress.readingMs >= limits.limitMs
}

function countChunks(sources: readonly OutputSource[]): number {
  return sources.reduce((sum, source) => sum + source.chunks, 0)
}
