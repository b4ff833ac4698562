// Waits for something, but not for ever: the parts of a stop that may take too long.
import { setTimeout as pause } from 'node:timers/promises'

export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController()
  const limit = pause(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work, limit])
  over.abort()
}
