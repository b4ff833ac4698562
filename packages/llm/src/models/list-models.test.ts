import { afterEach, describe, expect, it } from 'vitest'
import { brokenAfter, startServer, type TestServer } from '../../test/server.ts'
import { findProvider, type ProviderRow } from '../providers/providers.ts'
import { listModels } from './list-models.ts'

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

describe('listModels', () => {
  it.each([
    ['openai', '/base/models', '{"data":[{"id":"a"},{"id":"b"},{"no":1}]}'],
    ['anthropic', '/base/v1/models?limit=1000', '{"data":[{"id":"a"},{"id":"b"}]}'],
    [
      'gemini',
      '/base/models?pageSize=1000',
      '{"models":[{"name":"models/a"},{"name":"models/b"}]}',
    ],
  ])('returns the model names of %s', async (provider, path, body) => {
    expect(await list(provider, 200, body)).toEqual(['a', 'b'])
    expect(server?.requests[0]).toMatchObject({ method: 'GET', path })
    const headers = JSON.stringify(server?.requests[0]?.headers)
    expect(headers).toContain('key-0123456789')
    expect(server?.requests[0]?.headers['user-agent']).toBe('zee')
  })

  it.each([
    [401, '{"error":{"message":"bad key-0123456789"}}', 'HTTP 401: bad [redacted]'],
    [200, 'hello', 'The list of models is not JSON'],
    [200, '{"x":1}', 'The answer holds no list of models'],
  ])('throws for status %i and body %s', async (status, body, message) => {
    await expect(list('openai', status, body)).rejects.toThrow(message)
  })

  it('throws if the connection is lost during the response', async () => {
    server = await startServer(brokenAfter('{"data":[{"id":"a"}'))
    const row = { ...(findProvider('openai') as ProviderRow), baseUrl: server.url }
    const { signal } = new AbortController()
    await expect(listModels({ row, environment: {}, signal })).rejects.toThrow(/^Stream error: /)
  })
})
