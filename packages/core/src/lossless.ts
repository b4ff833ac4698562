// Writes to a stream without losing anything and without piling up: the promise resolves when the
// stream wants more. A reader that left is not waited for: the program's entry then ends the process.

export type Write = (text: string | Uint8Array) => Promise<void>

export function lossless(stream: NodeJS.WritableStream & { destroyed?: boolean }): Write {
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
