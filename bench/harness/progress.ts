// A progress line on standard error. It appears after one second and is erased when the case is
// done.

export interface Progress {
  show(text: string): void
  clear(): void
}

const quietMs = 1000
const plainIntervalMs = 15_000

export function createProgress(stream: NodeJS.WriteStream): Progress {
  const begin = performance.now()
  let lastPlain = -Infinity
  let isShown = false
  return {
    show(text) {
      const now = performance.now()
      if (now - begin < quietMs) return
      if (stream.isTTY) {
        const line = text.slice(0, (stream.columns ?? 80) - 1)
        stream.write(`\r\u001b[K${line}`)
        isShown = true
      } else if (now - lastPlain > plainIntervalMs) {
        stream.write(`${text}\n`)
        lastPlain = now
      }
    },
    clear() {
      if (isShown) stream.write('\r\u001b[K')
      isShown = false
    },
  }
}
