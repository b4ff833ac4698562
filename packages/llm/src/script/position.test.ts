import { describe, expect, it } from 'vitest'
import { say } from '../../test/messages.ts'
import type { Message, Part } from '../request/request.ts'
import { findPosition, leavesTurn } from './position.ts'
import { parseScreenplay, type Response } from './screenplay.ts'

const play = (...lines: object[]) =>
  parseScreenplay(lines.map((line) => JSON.stringify(line)).join('\n'), 'play.jsonl')

const end = { end: true }
const call: Part = { type: 'tool_call', id: '1', name: 'read', input: {} }

/** The number of turns, and the line of the next response. */
function position(
  lines: object[],
  messages: Message[],
  playedLines: number[] = [],
): [turns: number, line: number | undefined] {
  const wasPlayed = (_turns: number, { line }: Response): boolean => playedLines.includes(line)
  const { turns, response } = findPosition(play(...lines), messages, wasPlayed)
  return [turns, response?.line]
}

describe('the position in a screenplay', () => {
  const three = [{ text: 'a' }, end, { text: 'b' }, end, { text: 'c' }]

  it('counts the turns of the assistant that have parts', () => {
    const user = say('user', 'u')
    expect(position(three, [user])).toEqual([0, 1])
    expect(position(three, [user, say('assistant', 'a'), user])).toEqual([1, 3])
    expect(position(three, [user, say('assistant'), user])).toEqual([0, 1])
    const all = [user, say('assistant', 'a'), say('assistant', 'b'), say('assistant', 'c'), user]
    expect(position(three, all)).toEqual([3, undefined])
    expect(position(three, [...all, say('assistant', 'more'), user])).toEqual([4, undefined])
  })

  it('skips what leaves no turn only if it was played', () => {
    const lines = [{ cut: true }, { error: { status: 500 } }, { text: 'a' }]
    expect(position(lines, [say('user', 'u')])).toEqual([0, 1])
    expect(position(lines, [say('user', 'u')], [1])).toEqual([0, 2])
    expect(position(lines, [say('user', 'u')], [1, 2])).toEqual([0, 3])
    expect(position(lines, [say('user', 'u')], [1, 2, 3])).toEqual([0, 3])
    expect(position(lines, [say('user', 'u'), say('assistant', 'a'), say('user', 'v')])).toEqual([
      1,
      undefined,
    ])
  })

  it('is after a cut response whose text was stored, also if a quote was filled in it', () => {
    const lines = [{ text: 'You said {{user}}' }, { cut: true }, { text: 'b' }]
    const stored = (...parts: (string | Part)[]): Message[] => [
      say('user', 'hello'),
      say('assistant', ...parts),
      say('user', 'next'),
    ]
    expect(position(lines, stored('You said hel'))).toEqual([1, 3])
    expect(position(lines, stored('You said next'))).toEqual([1, undefined])
    expect(position(lines, stored('You said hel', call))).toEqual([1, undefined])
    expect(position(lines, stored(call))).toEqual([1, undefined])
  })

  it('is after a cut response of several texts, without its thinking', () => {
    const lines = [{ thinking: 'Hm' }, { text: 'a' }, { text: 'b' }, { cut: true }, { text: 'c' }]
    const stored = [say('user', 'u'), say('assistant', 'ab'), say('user', 'v')]
    expect(position(lines, stored)).toEqual([1, 5])
  })

  it('is not after a cut response with a quote that matches nothing', () => {
    const lines = [{ text: '{{find:/nowhere/}}' }, { cut: true }, { text: 'b' }, end, { text: 'c' }]
    const stored = [say('user', 'u'), say('assistant', 'b'), say('user', 'v')]
    expect(position(lines, stored)).toEqual([1, 5])
  })

  it('follows the branch that the text of the user chose', () => {
    const lines = [
      { when: 'red', steps: [{ text: 'r' }, end, { text: 'r2' }] },
      { when: 'blue|red', steps: [] },
      { text: 'z' },
    ]
    expect(position(lines, [say('user', 'Red')])).toEqual([0, 1])
    expect(position(lines, [say('user', 'blue')])).toEqual([0, 3])
    expect(position(lines, [say('user', 'green')])).toEqual([0, 3])
    const later = [say('user', 'red'), say('assistant', 'r'), say('user', 'blue')]
    expect(position(lines, later)).toEqual([1, 1])
  })
})

it.each<[boolean, object[]]>([
  [true, [{ text: 'a' }]],
  [true, [{ tool: 'read' }]],
  [true, [{ tool: 'read' }, { usage: {} }]],
  [false, [end]],
  [false, [{ text: '' }, end]],
  [false, [{ thinking: 'a' }, end]],
  [false, [{ usage: {} }, end]],
  [false, [{ text: 'a' }, { cut: true }]],
  [false, [{ tool: 'read' }, { error: { message: 'x' } }]],
  [true, [{ text: 'a' }, { end: true, stop: 'max_tokens' }]],
  [false, [{ tool: 'read' }, { end: true, stop: 'max_tokens' }]],
])('a response leaves a turn: %s for %j', (expected, lines) => {
  const [response] = play(...lines).items
  expect(leavesTurn(response as Response)).toBe(expected)
})
