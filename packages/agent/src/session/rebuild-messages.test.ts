import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '@zee/llm'
import { failure, success } from '../envelope/envelope.ts'
import { rebuildMessages } from './rebuild-messages.ts'
import type { SessionRecord } from './records.ts'
import { parseRecord } from './records.ts'

const ts = '2026-01-01T00:00:00Z'
const user = (text: string): SessionRecord => ({ type: 'message', role: 'user', text, ts })
const said = (text: string): SessionRecord => ({ type: 'message', role: 'assistant', text, ts })
const use = (id: string, name = 'read'): SessionRecord => ({
  type: 'tool_use',
  id,
  name,
  input: { path: id },
  ts,
})
const result = (id: string, ok = true): SessionRecord => ({
  type: 'tool_result',
  tool_use_id: id,
  output: ok ? success({ of: id }) : failure('read_error', 'no'),
  ok,
  ts,
})

/** A short form for comparison: `user:hi`, `assistant:text+call(a)`, `user:result(a)`. */
function shape(messages: readonly Message[]): string[] {
  return messages.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool_call') return `call(${part.id})`
      if (part.type === 'tool_result') return `${part.isError ? 'error' : 'result'}(${part.id})`
      return 'thinking'
    })
    return `${role}:${words.join('+')}`
  })
}

const rebuilt = (...records: SessionRecord[]) => shape(rebuildMessages(records))

describe('messages rebuilt from a session', () => {
  it('are the original conversation', () => {
    const records = [user('hi'), said('let me look'), use('a'), result('a'), said('done')]
    expect(rebuilt(...records)).toEqual([
      'user:hi',
      'assistant:let me look+call(a)',
      'user:result(a)',
      'assistant:done',
    ])
  })

  it('start a new round if a call follows a result', () => {
    expect(rebuilt(user('hi'), use('a'), result('a'), use('b'), result('b'))).toEqual([
      'user:hi',
      'assistant:call(a)',
      'user:result(a)',
      'assistant:call(b)',
      'user:result(b)',
    ])
  })

  it('have a cancelled result for a call without one', () => {
    const messages = rebuildMessages([user('hi'), use('a'), use('b'), result('a')])
    expect(shape(messages)).toEqual([
      'user:hi',
      'assistant:call(a)+call(b)',
      'user:result(a)+error(b)',
    ])
    expect(JSON.stringify(messages.at(-1))).toContain('cancelled')
  })

  it('omit results without a call, empty messages and unknown records', () => {
    const records = [user('hi'), result('ghost'), said(''), said('  \n'), said('x')]
    expect(rebuilt(...records)).toEqual(['user:hi', 'assistant:x'])
    expect(parseRecord({ type: 'from_the_future' })).toBeUndefined()
  })

  it('join consecutive messages of one role, for example after a failed prompt', () => {
    expect(rebuilt(user('one'), user('two'), said('a'), said('b'))).toEqual([
      'user:one\n\ntwo',
      'assistant:a\n\nb',
    ])
  })

  it('start with a user message', () => {
    expect(rebuilt(said('hello'), use('a'), result('a'), user('hi'))).toEqual(['user:hi'])
    expect(rebuilt(said('hello'))).toEqual([])
  })

  it('include results that two processes wrote out of order', () => {
    const records = [user('A'), use('a'), user('B'), use('b'), result('a'), result('b'), said('x')]
    expect(rebuilt(...records)).toEqual([
      'user:A',
      'assistant:call(a)',
      'user:result(a)+B',
      'assistant:call(b)',
      'user:result(b)',
      'assistant:x',
    ])
  })

  it('distinguish calls with the same id', () => {
    expect(rebuilt(user('hi'), use('a'), result('a'), use('a'), result('a', false))).toEqual([
      'user:hi',
      'assistant:call(a)',
      'user:result(a)',
      'assistant:call(a-2)',
      'user:error(a-2)',
    ])
  })

  it('keep thinking before its answer and omit it without an answer', () => {
    const thinking: SessionRecord = { type: 'thinking', text: 't', provider: 'anthropic', ts }
    expect(rebuilt(user('hi'), thinking, use('a'), result('a'), thinking, said('x'))).toEqual([
      'user:hi',
      'assistant:thinking+call(a)',
      'user:result(a)',
      'assistant:thinking+x',
    ])
    expect(rebuilt(user('hi'), thinking)).toEqual(['user:hi'])
  })

  it('contain the start and the end of a very large result', () => {
    const large = success({ stdout: 'x'.repeat(200_000) })
    const records = [
      user('hi'),
      use('a', 'bash'),
      { type: 'tool_result', tool_use_id: 'a', output: large, ok: true, ts } as SessionRecord,
    ]
    const part = rebuildMessages(records).at(-1)?.parts[0]
    const content = part?.type === 'tool_result' ? part.content : ''
    expect(content.length).toBeLessThan(66_000)
    expect(content).toMatch(/^\{"ok":true/)
    expect(content).toContain('bytes left out')
  })
})

const anyRecord: fc.Arbitrary<SessionRecord | undefined> = fc
  .oneof(
    fc.record({
      type: fc.constantFrom('message'),
      role: fc.constantFrom('user', 'assistant', 'system', 7),
      text: fc.constantFrom('hi', '', ' ', 'long text', null),
    }),
    fc.record({
      type: fc.constantFrom('tool_use'),
      id: fc.constantFrom('a', 'b', 'ü', '', 5),
      name: fc.constantFrom('read', 'bash'),
      input: fc.constantFrom({}, null, 'x'),
    }),
    fc.record({
      type: fc.constantFrom('tool_result'),
      tool_use_id: fc.constantFrom('a', 'b', 'ü', 'z'),
      output: fc.constantFrom({ ok: true, data: {} }, { ok: false, error: {} }, 'text', undefined),
      ok: fc.boolean(),
    }),
    fc.record({ type: fc.constantFrom('meta', 'interrupted', 'other') }),
    fc.record({ type: fc.constantFrom('thinking'), provider: fc.constantFrom('anthropic', 3) }),
  )
  .map((line) => parseRecord(line as Record<string, unknown>))

describe('any session file', () => {
  it('yields messages that satisfy the rules of every provider', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 30 }), (lines) => {
        const records = lines.filter((line) => line !== undefined)
        const messages = rebuildMessages(records)
        const ids = new Set<string>()
        messages.forEach(({ role, parts }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
          expect(parts.length).toBeGreaterThan(0)
          const calls = parts.filter((part) => part.type === 'tool_call').map((part) => part.id)
          for (const id of calls) {
            expect(id).toMatch(/^[A-Za-z0-9_-]+$/)
            expect(ids.has(id)).toBe(false)
            ids.add(id)
          }
          const next = messages[index + 1]?.parts ?? []
          const answered = next.filter((part) => part.type === 'tool_result').map((part) => part.id)
          expect(answered).toEqual(calls)
          if (role === 'user') {
            const firstText = parts.findIndex((part) => part.type === 'text')
            const lastResult = parts.findLastIndex((part) => part.type === 'tool_result')
            if (firstText !== -1) expect(lastResult).toBeLessThan(firstText)
          }
          for (const part of parts) if (part.type === 'text') expect(part.text.trim()).not.toBe('')
        })
      }),
      { numRuns: 2000 },
    )
  })
})
