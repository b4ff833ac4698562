// Closes resources after each test.
import { afterEach } from 'vitest'

/** Call it once per test file. The returned function registers a resource and returns it. */
export function closeAfterEach(): <T extends { close(): unknown }>(resource: T) => T {
  const resources: { close(): unknown }[] = []
  afterEach(async () => {
    for (const resource of resources.splice(0)) await resource.close()
  })
  return (resource) => {
    resources.push(resource)
    return resource
  }
}
