import { afterEach, describe, expect, it } from 'vitest'
import type { TestServer } from '../../test/server.ts'
import { brokenAfter, startServer } from '../../test/server.ts'
import { postJson } from './post-json.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

describe('postJson', () => {
  const ask = (url: string) =>
    postJson({
      base: new URL(`${url}/api`),
      path: '/x',
      body: { a: 1 },
      environment: {},
      signal: new AbortController().signal,
    })

  it('returns the JSON of the response, or throws with the reason', async () => {
    server = await startServer(
      (response) => response.end('{"b":2}'),
      (response) => response.writeHead(403).end('{"error":{"message":"no"}}'),
      (response) => response.end('<html>'),
    )
    expect(await ask(server.url)).toEqual({ b: 2 })
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/api/x', body: '{"a":1}' })
    await expect(ask(server.url)).rejects.toThrow('HTTP 403: no')
    await expect(ask(server.url)).rejects.toThrow('The answer is not JSON')
  })

  it('throws for a response that is cut off or larger than 1 MiB', async () => {
    server = await startServer(brokenAfter('{"b":'), (response) =>
      response.end(JSON.stringify('x'.repeat(1024 * 1024))),
    )
    await expect(ask(server.url)).rejects.toThrow(/^Stream error: /)
    await expect(ask(server.url)).rejects.toThrow('The answer is larger than 1048576 bytes')
  })
})
