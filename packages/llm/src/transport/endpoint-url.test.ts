import { expect, it } from 'vitest'
import { endpointUrl } from './endpoint-url.ts'

it.each([
  ['http://host', '/v1/x', 'http://host/v1/x'],
  ['http://host/', '/v1/x', 'http://host/v1/x'],
  ['http://host/base//', '/x', 'http://host/base/x'],
  ['http://host/base?key=1', '/x', 'http://host/base/x?key=1'],
  ['http://host/base?key=1', '/x?alt=sse', 'http://host/base/x?key=1&alt=sse'],
  ['http://host/base?alt=json', '/x?alt=sse', 'http://host/base/x?alt=sse'],
  ['http://host/base#part', '/x', 'http://host/base/x'],
])('the endpoint of %s and %s is %s', (base, path, expected) => {
  expect(endpointUrl(new URL(base), path).href).toBe(expected)
})

it('the same base gives each path its own URL', () => {
  const base = new URL('http://127.0.0.1:1/v1')
  const hrefs = ['/a', '/b', '/b', '/a?x=1'].map((path) => endpointUrl(base, path).href)
  expect(hrefs).toEqual([
    'http://127.0.0.1:1/v1/a',
    'http://127.0.0.1:1/v1/b',
    'http://127.0.0.1:1/v1/b',
    'http://127.0.0.1:1/v1/a?x=1',
  ])
})
