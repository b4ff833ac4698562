// Writes to clients that may read slowly or not at all.
import type { ServerResponse } from 'node:http'

/**
 * Writes and waits until the client has taken enough for the next write, so that at most one write is
 * buffered. False if the client left or took nothing for `timeoutMs`; its connection is closed then.
 */
export async function writeBounded(
  response: ServerResponse,
  chunk: string | Uint8Array,
  timeoutMs: number,
): Promise<boolean> {
  if (response.destroyed || response.writableEnded) return false
  if (response.write(chunk)) return true
  return new Promise((resolve) => {
    const settle = (isDrained: boolean): void => {
      clearTimeout(timer)
      response.off('drain', drained).off('close', left)
      if (!isDrained) response.destroy()
      resolve(isDrained)
    }
    const drained = (): void => settle(true)
    const left = (): void => settle(false)
    const timer = setTimeout(left, timeoutMs)
    response.on('drain', drained).on('close', left)
  })
}
