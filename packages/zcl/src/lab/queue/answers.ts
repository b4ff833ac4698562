// Limits the wait for an answer of a server. A command that is to end does not wait for it.

/** Time for the last requests of a command that was interrupted. */
const interruptedMs = 300

export class Answers {
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Rejects after this time, and soon after the command was interrupted. */
  within<Value>(request: Promise<Value>, limitMs: number): Promise<Value> {
    const signal = this.#signal
    return new Promise<Value>((resolve, reject) => {
      let timer = setTimeout(refuse, limitMs, `no answer within ${limitMs} ms`)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort)
      request.then(
        (value) => {
          stopWaiting()
          resolve(value)
        },
        (error: unknown) => {
          stopWaiting()
          reject(error)
        },
      )
      function onAbort(): void {
        clearTimeout(timer)
        timer = setTimeout(refuse, Math.min(interruptedMs, limitMs), 'no answer before the end')
      }
      function refuse(reason: string): void {
        stopWaiting()
        reject(new Error(reason))
      }
      function stopWaiting(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
    })
  }
}
