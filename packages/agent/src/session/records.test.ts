import { describe, expect, it } from 'vitest'
import { parseRecord } from './records.ts'

const ts = '2026-01-02T03:04:05Z'
const image = { media_type: 'image/png', data: 'AA==' }
const receipt = { provider: 'p', model: 'm' }

const parse = (line: Record<string, unknown>) => parseRecord({ ts, ...line })

describe('parseRecord', () => {
  it.each<[line: Record<string, unknown>, record: Record<string, unknown>]>([
    [
      { type: 'meta', schema_version: 2, root: '/r', cwd: '/r/c' },
      { type: 'meta', schema_version: 2, root: '/r', cwd: '/r/c', ts },
    ],
    [
      { type: 'meta', schema_version: '2', root: 1, cwd: 2 },
      { type: 'meta', schema_version: 1, ts },
    ],
    [
      { type: 'message', role: 'user', text: 'a', steered: true, images: [image] },
      { type: 'message', role: 'user', text: 'a', steered: true, images: [image], ts },
    ],
    [
      { type: 'message', role: 'assistant', text: '', steered: 'yes', images: [] },
      { type: 'message', role: 'assistant', text: '', ts },
    ],
    [
      { type: 'thinking', text: 't', signature: 's', provider: 'p', data: { a: 1 } },
      { type: 'thinking', text: 't', signature: 's', provider: 'p', data: { a: 1 }, ts },
    ],
    [
      { type: 'thinking', text: 1, signature: 2, provider: 'p' },
      { type: 'thinking', text: '', provider: 'p', ts },
    ],
    [
      { type: 'tool_use', id: 'i', name: 'bash', input: { command: 'x' } },
      { type: 'tool_use', id: 'i', name: 'bash', input: { command: 'x' }, ts },
    ],
    [
      { type: 'tool_use', id: 'i', name: 'bash', input: 'x' },
      { type: 'tool_use', id: 'i', name: 'bash', input: {}, ts },
    ],
    [
      { type: 'interrupted', role: 'user', text: 'x' },
      { type: 'interrupted', role: 'system', text: 'Interrupted', ts },
    ],
    [
      { type: 'elided', events: [1, '2', 2.5, 3] },
      { type: 'elided', events: [1, 3], ts },
    ],
    [
      { type: 'elided', events: 4 },
      { type: 'elided', events: [], ts },
    ],
    [
      { type: 'undo', files: ['a', 1], undone: [1, 'x'] },
      { type: 'undo', files: ['a'], undone: [1], ts },
    ],
    [
      { type: 'redo', files: ['a', 1], redone: [1, 'x'] },
      { type: 'redo', files: ['a'], redone: [1], ts },
    ],
  ])('reads %j', (line, record) => {
    expect(JSON.parse(JSON.stringify(parse(line)))).toEqual(record)
  })

  it.each<[kind: string, line: Record<string, unknown>]>([
    ['no type', {}],
    ['an unknown type', { type: 'future' }],
    ['a message of an unknown role', { type: 'message', role: 'system', text: 'a' }],
    ['a message without a text', { type: 'message', role: 'user', text: 1 }],
    ['a message without a role', { type: 'message', text: 'a' }],
    ['thinking without a provider', { type: 'thinking', text: 'a' }],
    ['a call without an id', { type: 'tool_use', name: 'bash' }],
    ['a call without a name', { type: 'tool_use', id: 'i' }],
    ['a result without a call', { type: 'tool_result', output: {}, ok: true }],
    ['a receipt without a model', { type: 'receipt', provider: 'p' }],
  ])('gives no record for %s', (_, line) => {
    expect(parse(line)).toBeUndefined()
  })

  it('reads a line without a time stamp', () => {
    expect(parseRecord({ type: 'elided' })).toEqual({ type: 'elided', events: [], ts: '' })
  })

  it('reads the receipt of a message, a call and a request without an answer', () => {
    for (const line of [
      { type: 'message', role: 'assistant', text: 'a' },
      { type: 'tool_use', id: 'i', name: 'bash' },
      { type: 'receipt' },
    ]) {
      expect(parse({ ...line, ...receipt })).toMatchObject({ type: line.type, receipt })
    }
  })

  it.each<[output: unknown, ok: unknown, envelope: Record<string, unknown>]>([
    [{ ok: true, data: { a: 1 } }, false, { ok: true, data: { a: 1 } }],
    [
      { ok: false, error: { code: 'c', message: 'm' } },
      true,
      { ok: false, error: { code: 'c', message: 'm' } },
    ],
    [{ ok: false, error: { code: 'c' } }, true, { ok: false, error: { code: 'c', message: '' } }],
    // Anything else is wrapped.
    ['text', true, { ok: true, data: { output: 'text' } }],
    [{ ok: true, data: null }, true, { ok: true, data: { output: { ok: true, data: null } } }],
    [{ ok: true, data: 'x' }, true, { ok: true, data: { output: { ok: true, data: 'x' } } }],
    [{ data: {} }, true, { ok: true, data: { output: { data: {} } } }],
    [{ error: { code: 'c' } }, true, { ok: true, data: { output: { error: { code: 'c' } } } }],
    ['text', false, { ok: false, error: { code: 'unknown', message: '"text"' } }],
    ['text', 'yes', { ok: false, error: { code: 'unknown', message: '"text"' } }],
    [undefined, false, { ok: false, error: { code: 'unknown', message: 'null' } }],
    [{ ok: false }, false, { ok: false, error: { code: 'unknown', message: '{"ok":false}' } }],
  ])('gives the output %j with ok %j as an envelope', (output, ok, envelope) => {
    expect(parse({ type: 'tool_result', tool_use_id: 'i', output, ok })).toEqual({
      type: 'tool_result',
      tool_use_id: 'i',
      output: envelope,
      ok: envelope.ok,
      ts,
    })
  })

  it('keeps the images of a result that have a type and data', () => {
    const images = [image, { media_type: 'image/png' }, { data: 'AA==' }, 'x', null]
    const line = { type: 'tool_result', tool_use_id: 'i', output: { ok: true, data: {} }, images }
    expect(parse(line)).toMatchObject({ images: [image] })
    expect(parse({ ...line, images: [null] })).not.toHaveProperty('images')
  })
})
