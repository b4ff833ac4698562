// Edits of settings files keep every other byte.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasJson, insertJson, removeJson, type Insertion } from './settings.ts'

const server: Insertion = {
  keys: ['servers'],
  name: 'zeno',
  value: { command: 'zeno', args: ['mcp'] },
}
const hook: Insertion = { keys: ['hooks', 'After'], value: { hooks: [{ type: 'command' }] } }

function textOf(edit: { text: string } | { unchanged: string }): string {
  if ('unchanged' in edit) throw new Error(edit.unchanged)
  return edit.text
}

const settings = fc.record(
  {
    servers: fc.dictionary(fc.constantFrom('a', 'b"}'), fc.jsonValue()),
    hooks: fc.dictionary(fc.constantFrom('After', 'Before'), fc.array(fc.jsonValue())),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

describe('edits of JSON settings', () => {
  it('insert two values and restore every byte, in any order of removal', () => {
    fc.assert(
      fc.property(
        settings,
        fc.constantFrom(0, 2, '\t'),
        fc.boolean(),
        fc.constantFrom('', '\n'),
        (value, indent, isReversed, end) => {
          const before = JSON.stringify(value, null, indent) + end
          const both = textOf(insertJson(textOf(insertJson(before, server)), hook))
          expect(JSON.parse(both)).toMatchObject({ servers: { zeno: server.value } })
          expect(hasJson(both, hook)).toBe(true)
          const order = isReversed ? [hook, server] : [server, hook]
          const after = order.reduce((text, each) => textOf(removeJson(text, each)), both)
          expect(after).toBe(before)
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each([
    '// Zed settings {\n{\n  // a "comment"\n  "servers": { /* none, */ },\n  "url": "http://x", // end\n}\n',
    '{ // only a comment\n}\n',
    '{ "servers": { "a": { "b": [1, 2,], }, }, "c": "/* no comment */", }',
    '/* first */ { "hooks": { "After": [ // empty\n ] } }',
  ])('keep comments and trailing commas where the program allows them: %j', (before) => {
    const own = { ...server, allowsComments: true }
    const other = { ...hook, allowsComments: true }
    expect(insertJson(before, server)).toEqual({ unchanged: 'is not a JSON object' })
    const both = textOf(insertJson(textOf(insertJson(before, own)), other))
    expect(hasJson(both, own) && hasJson(both, other)).toBe(true)
    expect(textOf(removeJson(textOf(removeJson(both, own)), other))).toBe(before)
    expect(textOf(removeJson(textOf(removeJson(both, other)), own))).toBe(before)
  })

  it.each([
    '{\n  "servers": {\n  }\n}\n',
    '{\r\n  "servers": {\r\n  }\r\n}\r\n',
    '{\n  "servers": {\n    }\n}',
    '{\n}\n',
    '{ "hooks": {\n    "After": [\n    ]\n  } }',
    '\uFEFF{\n  "a": 1\n}\n',
    '\uFEFF{}',
  ])('restore empty containers with line ends, and a byte order mark: %j', (before) => {
    for (const order of [
      [server, hook],
      [hook, server],
    ]) {
      const both = order.reduce((text, each) => textOf(insertJson(text, each)), before)
      expect(hasJson(both, server) && hasJson(both, hook)).toBe(true)
      expect(order.reduce((text, each) => textOf(removeJson(text, each)), both)).toBe(before)
      const back = order.toReversed()
      expect(back.reduce((text, each) => textOf(removeJson(text, each)), both)).toBe(before)
    }
  })

  it('cut out a value that another program has formatted anew, with its empty containers', () => {
    const before = { other: 1, hooks: { Before: [] } }
    const both = textOf(insertJson(textOf(insertJson(JSON.stringify(before), server)), hook))
    const formatted = JSON.stringify(JSON.parse(both), null, 4)
    const after = textOf(removeJson(textOf(removeJson(formatted, server)), hook))
    expect(JSON.parse(after)).toEqual(before)
  })

  it('refuse text that is not a JSON object, another kind of container and a second insertion', () => {
    expect(insertJson('{ // comment\n}', hook)).toEqual({ unchanged: 'is not a JSON object' })
    expect(insertJson('{"hooks":[]}', hook)).toEqual({ unchanged: 'has another kind of hooks' })
    const once = textOf(insertJson('{}', hook))
    expect(insertJson(once, hook)).toEqual({ unchanged: 'already has it' })
    expect(removeJson('{}', hook)).toEqual({ unchanged: 'does not have it' })
  })
})
