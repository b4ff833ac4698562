import { expect, it } from 'vitest'
import { callName } from './events.ts'

it.each([
  [{ tool: 'cli', op: 'exec', input: { params: { name: 'read' } } }, 'exec'],
  [{ tool: 'mcp', op: 'initialize', input: { params: { name: 'read' } } }, 'initialize'],
  [{ tool: 'http', op: 'tools/call', input: { params: { name: 'read' } } }, 'tools/call'],
  [{ tool: 'mcp', op: 'tools/call', input: { params: { name: 'read' } } }, 'read'],
  [{ tool: 'mcp', op: 'tools/call', input: { params: { name: '' } } }, 'tools/call'],
  [{ tool: 'mcp', op: 'tools/call', input: { params: { name: 5 } } }, 'tools/call'],
  [{ tool: 'mcp', op: 'tools/call', input: {} }, 'tools/call'],
])('the call %j is shown as %s', (event, name) => {
  expect(callName(event)).toBe(name)
})
