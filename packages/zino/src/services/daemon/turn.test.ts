import { expect, it } from 'vitest'
import { Turn } from './turn.ts'

const begin = { turn: 't', channel: '', message: 'hi', ts: '2026-03-01T10:00:00.000Z' }

it('text and events of a turn leave after its message is on the disk', async () => {
  const turn = new Turn(begin)
  const seen: string[] = []
  let flushed = () => {}
  turn.flushed = new Promise((resolve) => {
    flushed = () => {
      seen.push('flushed')
      resolve()
    }
  })
  await turn.follow({
    onText: async (delta) => void seen.push(delta),
    onEvent: async ({ type }) => void seen.push(String(type)),
  })
  const told = [turn.tellText('a'), turn.tellEvent({ type: 'tool_start' })]
  await new Promise(setImmediate)
  flushed()
  await Promise.all(told)
  expect(seen).toEqual(['flushed', 'a', 'tool_start'])
})
