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
