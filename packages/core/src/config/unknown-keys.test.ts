// Keys that the schema does not have, and the key that was meant.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Layer } from './layers.ts'
import { shapeOf } from './shape.ts'
import { unknownKeys } from './unknown-keys.ts'

const server = z.object({ address: z.string(), port: z.int() })
const schema = z.object({
  model: z.string(),
  max_tokens: z.int(),
  timeoutMs: z.int(),
  abc: z.int(),
  api: z.object({
    secretKey: z.string(),
    address: z.string(),
    deep: z.object({ single: z.int() }),
  }),
  server,
  servers: z.array(server),
  by: z.record(z.string(), server),
  open: z.looseObject({ known: z.string() }),
  closed: z.strictObject({ known: z.string() }),
  either: z.union([z.string(), server]),
})

function found(data: Record<string, unknown>, file?: Layer['file']): unknown {
  const layer: Layer = { origin: { kind: 'default' }, data }
  if (file !== undefined) layer.file = file
  return unknownKeys(shapeOf(schema), layer)
}

function textsFor(data: Record<string, unknown>): string[] {
  return (found(data) as { text: string }[]).map(({ text }) => text)
}

describe('an unknown key', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ model: 'x', api: { secretKey: 'y' } }, []],
    [{ modle: 1 }, ['unknown key modle (did you mean model?)']],
    [{ mode: 1 }, ['unknown key mode (did you mean model?)']],
    [{ modles: 1 }, ['unknown key modles']],
    [{ mo: 1 }, ['unknown key mo']],
    [{ MODEL: 1 }, ['unknown key MODEL (did you mean model?)']],
    [{ maxTokens: 1 }, ['unknown key maxTokens (did you mean max_tokens?)']],
    [{ 'max-tokens': 1 }, ['unknown key max-tokens (did you mean max_tokens?)']],
    [{ mxtokns: 1 }, ['unknown key mxtokns (did you mean max_tokens?)']],
    [{ mxtkns: 1 }, ['unknown key mxtkns']],
    [{ 'timeout_m-s': 1 }, ['unknown key timeout_m-s (did you mean timeoutMs?)']],
    [{ abd: 1 }, ['unknown key abd (did you mean abc?)']],
    [{ add: 1 }, ['unknown key add']],
    [{ opeb: {} }, ['unknown key opeb (did you mean open?)']],
    [{ secretKey: 1 }, ['unknown key secretKey (did you mean api.secretKey?)']],
    [{ single: 1 }, ['unknown key single (did you mean api.deep.single?)']],
    [{ address: 1 }, ['unknown key address']],
    [{ SecretKey: 1 }, ['unknown key SecretKey']],
    [{ api: { secret_key: 1 } }, ['unknown key api.secret_key (did you mean api.secretKey?)']],
    [{ api: { modle: 1 } }, ['unknown key api.modle']],
    [{ api: { model: 1 } }, ['unknown key api.model (did you mean model?)']],
    [
      { api: { deep: { singel: 1 } } },
      ['unknown key api.deep.singel (did you mean api.deep.single?)'],
    ],
    [{ servers: [{ port: 1 }, { prt: 1 }] }, ['unknown key servers[1].prt']],
    [{ servers: { prt: 1 } }, []],
    [{ by: { any: { port: 1, prt: 1 } } }, ['unknown key by.any.prt']],
    [{ by: { any: 5 } }, []],
    [{ open: { more: 1 } }, []],
    [{ closed: { more: 1 } }, []],
    [{ either: { more: 1 } }, []],
    [{ server: [{ more: 1 }] }, []],
    [{ server: 5 }, []],
    [{ constructor: 1 }, ['unknown key constructor']],
    [{ a: { b: 1 }, 'x y': 2 }, ['unknown key a', 'unknown key "x y"']],
  ])('of %j: %j', (data, texts) => {
    expect(textsFor(data)).toEqual(texts)
  })

  it('is the prototype wherever it is a key', () => {
    const proto = JSON.parse('{"__proto__": 1}') as Record<string, unknown>
    expect(textsFor(proto)).toEqual(['unknown key __proto__'])
    expect(textsFor({ open: proto })).toEqual(['unknown key open.__proto__'])
    expect(textsFor({ by: proto })).toEqual(['unknown key by.__proto__'])
  })

  it('gets no suggestion above 64 characters', () => {
    const long = { ['k'.repeat(64)]: z.string(), ['l'.repeat(65)]: z.string() }
    const shape = shapeOf(z.object({ inner: z.object(long) }))
    const texts = (key: string) =>
      unknownKeys(shape, { origin: { kind: 'default' }, data: { [key]: 1 } }).map(
        ({ text }) => text,
      )
    const k = 'k'.repeat(64)
    expect(texts(k)).toEqual([`unknown key ${k} (did you mean inner.${k}?)`])
    expect(texts('l'.repeat(65))).toEqual([`unknown key ${'l'.repeat(65)}`])
  })

  it('has its path, and its line if it is in a file', () => {
    const file = {
      ...{ path: 'f', bytes: Buffer.from(''), data: {}, floats: new Set<string>(), repeated: [] },
      positions: () =>
        new Map([
          ['["api","x"]', 7],
          ['["api"]', 6],
        ]),
    }
    expect(found({ api: { x: 1 } }, file)).toEqual([
      { path: ['api', 'x'], line: 7, text: 'unknown key api.x' },
    ])
    expect(found({ api: { y: 1 } }, file)).toEqual([
      { path: ['api', 'y'], line: 6, text: 'unknown key api.y' },
    ])
    expect(found({ z: 1 })).toEqual([{ path: ['z'], line: undefined, text: 'unknown key z' }])
  })
})
