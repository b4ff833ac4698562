// The signals that end a server with clients.

/** Resolves on the first SIGTERM, SIGINT or SIGHUP. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })
}
