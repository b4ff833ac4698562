// How a process of zino, a service or the supervisor, begins and ends: what it is handed, its log, the
// signals that stop it.
import { setTimeout as pause } from 'node:timers/promises'

export type { Handover } from './handover.ts'
export { handoverLine, readyLine, readHandover } from './handover.ts'
export { serviceLogger, stderrWriter } from './log.ts'

/**
 * Resolves to the name of the first signal that comes. To be listened for before anything else is done,
 * so that a signal during the start is an orderly stop, too.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'))
    process.on('SIGINT', () => resolve('SIGINT'))
  })
}

/** Waits for something, but not for ever: the parts of a stop that may take too long. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController()
  const limit = pause(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work, limit])
  over.abort()
}
