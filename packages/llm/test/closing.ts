// Whatever a test opens is closed after it.
import { afterEach } from 'vitest'

/** Call it once at the top of a file; what it returns takes a thing and gives it back. */
export function closeAfterEach(): <T extends { close(): unknown }>(thing: T) => T {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close()
  })
  return (thing) => {
    open.push(thing)
    return thing
  }
}
