import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { richRequests } from '../../test/rich-requests.ts'
import { loadWire, wireNames } from './wires.ts'

const file = path.join(import.meta.dirname, '../../test/fixtures/request-bodies.json')
const bodies = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, object>>

describe.each(wireNames)('the body of %s', (name) => {
  it.each(Object.keys(richRequests))('has exactly these fields with %s', async (title) => {
    const wire = await loadWire(name)
    const { request, maxOutput } = richRequests[title] ?? {}
    if (request === undefined) throw new Error(title)
    const context = { provider: 'p', quirks: {}, maxOutput, newId: () => 'new' }
    expect(wire.encode(request, context)).toEqual(bodies[name]?.[title])
    expect(Object.keys(bodies[name] ?? {})).toEqual(Object.keys(richRequests))
  })
})
