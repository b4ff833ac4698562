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

/** `user:hi`, `assistant:text+call(a)`, `user:result(a)`: enough to compare by. */
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
  it('are the conversation as it was', () => {
    const records = [user('hi'), said('let me look'), use('a'), result('a'), said('done')]
    expect(rebuilt(...records)).toEqual([
      'user:hi',
      'assistant:let me look+call(a)',
      'user:result(a)',
      'assistant:done',
    ])
  })

  it('begin a new round when a call follows a result', () => {
    expect(rebuilt(user('hi'), use('a'), result('a'), use('b'), result('b'))).toEqual([
      'user:hi',
      'assistant:call(a)',
      'user:result(a)',
      'assistant:call(b)',
      'user:result(b)',
    ])
  })

  it('give a call that was left open a cancelled result', () => {
    const messages = rebuildMessages([user('hi'), use('a'), use('b'), result('a')])
    expect(shape(messages)).toEqual([
      'user:hi',
      'assistant:call(a)+call(b)',
      'user:result(a)+error(b)',
    ])
    expect(JSON.stringify(messages.at(-1))).toContain('cancelled')
  })

  it('drop results without a call, and what is empty or unknown', () => {
    const records = [user('hi'), result('ghost'), said(''), said('  \n'), said('x')]
    expect(rebuilt(...records)).toEqual(['user:hi', 'assistant:x'])
    expect(parseRecord({ type: 'from_the_future' })).toBeUndefined()
  })

  it('join neighbours of one role, as a failed prompt leaves them', () => {
    expect(rebuilt(user('one'), user('two'), said('a'), said('b'))).toEqual([
      'user:one\n\ntwo',
      'assistant:a\n\nb',
    ])
  })

  it('begin with the user', () => {
    expect(rebuilt(said('hello'), use('a'), result('a'), user('hi'))).toEqual(['user:hi'])
    expect(rebuilt(said('hello'))).toEqual([])
  })

  it('find the result wherever two processes left it', () => {
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

  it('tell calls with one id apart', () => {
    expect(rebuilt(user('hi'), use('a'), result('a'), use('a'), result('a', false))).toEqual([
      'user:hi',
      'assistant:call(a)',
      'user:result(a)',
      'assistant:call(a-2)',
      'user:error(a-2)',
    ])
  })

  it('keep thinking in front of what it led to, and drop it when nothing followed', () => {
    const thinking: SessionRecord = { type: 'thinking', text: 't', provider: 'anthropic', ts }
    expect(rebuilt(user('hi'), thinking, use('a'), result('a'), thinking, said('x'))).toEqual([
      'user:hi',
      'assistant:thinking+call(a)',
      'user:result(a)',
      'assistant:thinking+x',
    ])
    expect(rebuilt(user('hi'), thinking)).toEqual(['user:hi'])
  })

  it('send a very large result as its two ends', () => {
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

describe('whatever is in the file', () => {
  it('what is sent keeps the rules of every provider', () => {
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
