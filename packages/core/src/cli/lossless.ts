// Writes to a stream with back-pressure: the promise resolves when the stream accepts more. It also
// resolves when the reader closes the stream; the program's entry then ends the process.
import { withoutControls } from './colour.ts'

export type Write = (text: string | Uint8Array) => Promise<void>

/** Same as `streamWriter`, for external text: applies `withoutControls` on a terminal. */
export function terminalSafeWriter(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  hurry?: AbortSignal,
): Write {
  const write = streamWriter(stream, hurry)
  if (stream.isTTY !== true) return write
  const decoder = new TextDecoder()
  return (text) =>
    write(withoutControls(typeof text === 'string' ? text : decoder.decode(text, { stream: true })))
}

/**
 * Returns a function that writes to a stream and waits while its buffer is full. After `hurry` it waits no
 * longer: a reader that does not read must not delay the end of the program.
 */
export function streamWriter(
  stream: NodeJS.WritableStream & { destroyed?: boolean },
  hurry?: AbortSignal,
): Write {
  return (text) => {
    if (stream.destroyed === true || stream.write(text)) return Promise.resolve()
    if (hurry?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const events = ['drain', 'close'] as const
      const settle = (): void => {
        for (const event of events) stream.removeListener(event, settle)
        hurry?.removeEventListener('abort', settle)
        resolve()
      }
      for (const event of events) stream.once(event, settle)
      hurry?.addEventListener('abort', settle)
    })
  }
}
