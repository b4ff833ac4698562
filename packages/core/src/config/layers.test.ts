// Sources merged by the shape of the schema.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { layerOf, mergeLayers, originOf, singleKeyLayer, type Layer } from './layers.ts'
import { shapeOf } from './shape.ts'

const schema = z.object({
  name: z.string(),
  box: z.object({ a: z.int(), b: z.int() }),
  open: z.looseObject({ a: z.int() }),
  by: z.record(z.string(), z.object({ x: z.int(), y: z.int() })),
  list: z.array(z.int()),
})

function flag(name: string, data: Record<string, unknown>): Layer {
  return { origin: { kind: 'flag', name }, data }
}

function merged(...layers: Record<string, unknown>[]) {
  return mergeLayers(
    shapeOf(schema),
    layers.map((data, index) => flag(String(index), data)),
  )
}

describe('merged sources', () => {
  it.each<[Record<string, unknown>[], unknown]>([
    [[], {}],
    [[{}], {}],
    [[{ name: 'a' }, {}], { name: 'a' }],
    [[{ name: 'a' }, { name: 'b' }], { name: 'b' }],
    [[{ box: { a: 1, b: 2 } }, { box: { b: 3 } }], { box: { a: 1, b: 3 } }],
    [[{ box: 5 }, { box: { b: 3 } }], { box: { b: 3 } }],
    [[{ box: { b: 3 } }, { box: 5 }], { box: 5 }],
    [[{ box: { a: 1 } }, { box: 5 }, { box: { b: 3 } }], { box: { a: 1, b: 3 } }],
    [[{ list: [1, 2] }, { list: [3] }], { list: [3] }],
    [
      [{ by: { m: { x: 1 } } }, { by: { m: { y: 2 }, n: { x: 3 } } }],
      { by: { m: { x: 1, y: 2 }, n: { x: 3 } } },
    ],
    [[{ open: { a: 1, z: 1 } }, { open: { z: 2, w: 3 } }], { open: { a: 1, z: 2, w: 3 } }],
    [[{ unknown: 1, box: { other: 1 } }], { box: {} }],
  ])('of %j are %j', (layers, expected) => {
    expect(JSON.parse(JSON.stringify(merged(...layers).data))).toEqual(expected)
  })

  it('leave the prototype out', () => {
    const proto = JSON.parse('{"__proto__": {"x": 1}, "m": {"x": 2}}') as Record<string, unknown>
    const { data } = merged({ by: proto })
    expect(JSON.stringify(data)).toBe('{"by":{"m":{"x":2}}}')
  })

  it('record the source of every value', () => {
    const all = merged({ name: 'a', box: { a: 1 } }, { box: { b: 2 }, list: [1] })
    const source = (...path: (string | number)[]) => {
      const origin = layerOf(all, path)?.origin
      return origin?.kind === 'flag' ? origin.name : origin
    }
    expect(source('name')).toBe('0')
    expect(source('box')).toBe('1')
    expect(source('box', 'a')).toBe('0')
    expect(source('box', 'b')).toBe('1')
    expect(source('list', 0)).toBe('1')
    expect(source('unknown', 'x')).toBe('1')
    expect(source()).toBe('1')
    expect(layerOf(merged(), ['name'])).toBeUndefined()
  })
})

describe('the origin of a value', () => {
  const file = {
    ...{ path: 'f', bytes: Buffer.from(''), data: {}, floats: new Set<string>(), repeated: [] },
    positions: () => new Map([['["a"]', 3]]),
  }
  const origin = { kind: 'file', path: 'f' } as const

  it('has the line of its key in a file', () => {
    expect(originOf({ origin, data: {}, file }, ['a', 'b'])).toEqual({ ...origin, line: 3 })
    expect(originOf({ origin, data: {}, file }, ['c'])).toEqual(origin)
    expect(originOf({ origin, data: {} }, ['a'])).toEqual(origin)
  })

  it('is the default without a source', () => {
    expect(originOf(undefined, ['a'])).toEqual({ kind: 'default' })
    const environment = { kind: 'environment', name: 'X' } as const
    expect(originOf({ origin: environment, data: {}, file }, ['a'])).toEqual(environment)
  })
})

it('a source of one key has the tables around it, without a prototype', () => {
  const origin = { kind: 'flag', name: '--x' } as const
  const layer = singleKeyLayer(['a', 'b'], 5, origin)
  expect(JSON.stringify(layer)).toBe('{"origin":{"kind":"flag","name":"--x"},"data":{"a":{"b":5}}}')
  expect(Object.getPrototypeOf(layer.data)).toBeNull()
})
