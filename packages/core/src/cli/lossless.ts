// Writes to a stream without losing anything and without piling up: the promise resolves when the
// stream wants more. A reader that left is not waited for: the program's entry then ends the process.

import { withoutControls } from './colour.ts'

export type Write = (text: string | Uint8Array) => Promise<void>

/** The same for text from elsewhere: on a terminal without what could steer it. */
export function terminalSafeWriter(stream: NodeJS.WritableStream & { isTTY?: boolean }): Write {
  const write = streamWriter(stream)
  if (stream.isTTY !== true) return write
  const decoder = new TextDecoder()
  return (text) =>
    write(withoutControls(typeof text === 'string' ? text : decoder.decode(text, { stream: true })))
}

export function streamWriter(stream: NodeJS.WritableStream & { destroyed?: boolean }): Write {
  return (text) => {
    if (stream.destroyed === true || stream.write(text)) return Promise.resolve()
    return new Promise((resolve) => {
      const events = ['drain', 'close'] as const
      const settle = (): void => {
        for (const event of events) stream.removeListener(event, settle)
        resolve()
      }
      for (const event of events) stream.once(event, settle)
    })
  }
}
