import { afterEach, describe, expect, it } from 'vitest'
import type { TestServer } from '../test/server.ts'
import { brokenAfter, startServer } from '../test/server.ts'
import { listModels } from './list-models.ts'
import { postJson } from './post-json.ts'
import { findProvider, type ProviderRow } from './providers.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function list(provider: string, status: number, body: string, key = 'key-0123456789') {
  server = await startServer((response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body)
  })
  const row = findProvider(provider) as ProviderRow
  const { signal } = new AbortController()
  return listModels({ row, environment: {}, baseUrl: `${server.url}/base`, key, signal })
}

describe('the models of an endpoint', () => {
  it.each([
    ['openai', '/base/models', '{"data":[{"id":"a"},{"id":"b"},{"no":1}]}'],
    ['anthropic', '/base/v1/models?limit=1000', '{"data":[{"id":"a"},{"id":"b"}]}'],
    [
      'gemini',
      '/base/models?pageSize=1000',
      '{"models":[{"name":"models/a"},{"name":"models/b"}]}',
    ],
  ])('are listed for %s', async (provider, path, body) => {
    expect(await list(provider, 200, body)).toEqual(['a', 'b'])
    expect(server?.requests[0]).toMatchObject({ method: 'GET', path })
    const headers = JSON.stringify(server?.requests[0]?.headers)
    expect(headers).toContain('key-0123456789')
  })

  it.each([
    [401, '{"error":{"message":"bad key-0123456789"}}', 'HTTP 401: bad [redacted]'],
    [200, 'hello', 'The list of models is not JSON'],
    [200, '{"x":1}', 'The answer holds no list of models'],
  ])('are an error for status %i and %s', async (status, body, message) => {
    await expect(list('openai', status, body)).rejects.toThrow(message)
  })

  it('are an error of the connection when it breaks off', async () => {
    server = await startServer(brokenAfter('{"data":[{"id":"a"}'))
    const row = { ...(findProvider('openai') as ProviderRow), baseUrl: server.url }
    const { signal } = new AbortController()
    await expect(listModels({ row, environment: {}, signal })).rejects.toThrow(/^Stream error: /)
  })
})

describe('one JSON question', () => {
  const ask = (url: string) =>
    postJson({
      base: new URL(`${url}/api`),
      path: '/x',
      body: { a: 1 },
      environment: {},
      signal: new AbortController().signal,
    })

  it('gives the answer, or an error that says why there is none', async () => {
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

  it('has no answer that breaks off or is larger than 1 MiB', async () => {
    server = await startServer(brokenAfter('{"b":'), (response) =>
      response.end(JSON.stringify('x'.repeat(1024 * 1024))),
    )
    await expect(ask(server.url)).rejects.toThrow(/^Stream error: /)
    await expect(ask(server.url)).rejects.toThrow('The answer is larger than 1048576 bytes')
  })
})
