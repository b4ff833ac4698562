// Writes to a stream without losing anything and without piling up: the promise resolves when the
// stream wants more, or when nobody is left to read.

export type Write = (text: string) => Promise<void>

export function lossless(stream: NodeJS.WritableStream & { destroyed?: boolean }): Write {
  return (text) => {
    if (stream.destroyed === true || stream.write(text)) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        stream.removeListener('drain', settle)
        stream.removeListener('close', settle)
        stream.removeListener('error', settle)
        resolve()
      }
      stream.once('drain', settle)
      stream.once('close', settle)
      stream.once('error', settle)
    })
  }
}
