// What ends zino's processes from outside. To be listened for before anything else is done, so that a
// signal during the start is an orderly stop, too.

/** Resolves to the name of the first that comes. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'))
    process.on('SIGINT', () => resolve('SIGINT'))
  })
}
