import type { Message } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { applyDelta, PrefixTracker, type Segment } from './prefix.ts'

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const tools = [{ name: 'read', description: 'd', schema: {} }]
const names = (segments: readonly Segment[]) => segments.map(({ name }) => name)

describe('PrefixTracker', () => {
  it('names tools, parts of the system prompt and parts of messages in cache order', () => {
    const tracker = new PrefixTracker([
      { name: 'system prompt', text: 'be brief' },
      { name: 'AGENTS.md', text: 'use tabs' },
    ])
    const messages: Message[] = [
      user('hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'ok' },
          { type: 'tool_call', id: 'c1', name: 'read', input: {} },
        ],
      },
      { role: 'user', parts: [{ type: 'tool_result', id: 'c1', content: '{}', isError: false }] },
    ]
    const delta = tracker.describe({ system: 'be brief\n\nuse tabs', messages, tools }).store()
    expect(delta.from).toBe(0)
    expect(names(delta.segments)).toEqual([
      'tools',
      'system prompt',
      'AGENTS.md',
      'prompt',
      'answer',
      'call:c1',
      'result:c1',
    ])
    expect(delta.segments[1]?.bytes).toBe(8)
  })

  it('stores only what follows the shared prefix', () => {
    const tracker = new PrefixTracker([])
    const history = [user('one')]
    const first = tracker.describe({ system: 's', messages: history, tools }).store()
    const second = tracker
      .describe({ system: 's', messages: [...history, user('two')], tools })
      .store()
    expect(second).toMatchObject({ from: 3, segments: [{ name: 'prompt' }] })
    const changed = tracker.describe({ system: 'other', messages: history, tools }).store()
    expect(changed.from).toBe(1)
    const all = applyDelta(applyDelta(first.segments, second), changed)
    expect(names(all)).toEqual(['tools', 'system prompt', 'prompt'])
  })

  it('ignores a request that was not stored', () => {
    const tracker = new PrefixTracker([])
    tracker.describe({ system: 's', messages: [user('lost')], tools })
    const { from } = tracker.describe({ system: 's', messages: [user('one')], tools }).store()
    expect(from).toBe(0)
  })

  it('falls back to one segment if the system prompt is not the sum of its parts', () => {
    const tracker = new PrefixTracker([{ name: 'AGENTS.md', text: 'x' }])
    expect(
      names(tracker.describe({ system: 'y', messages: [], tools: [] }).store().segments),
    ).toEqual(['system prompt'])
  })
})
