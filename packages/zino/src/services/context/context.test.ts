import { describe, expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { bashSkill, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import type { Message } from '../../wire/wire.ts'
import { startContext } from './context.ts'

const pair = (user: string, assistant: string) => [
  { role: 'user', content: user },
  { role: 'assistant', content: assistant },
]
const examples = pair('example [KCR] draft', '#!/bin/bash\ntrue')

async function startIn(folder: string, ctx: Record<string, unknown> = {}) {
  put(folder, 'skills/a.json', bashSkill)
  const context = contextIn(folder, { ctx })
  await serveHere(startContext(context), context.config.ctx.socket)
  const build = (message: object) =>
    lastOf(context.config.ctx.socket, { type: 'build', ...message })
  return { build, context }
}

/** A fake mem with fixed answers; returns the requests it receives. */
async function memAt(socket: string): Promise<Message[]> {
  const asked: Message[] = []
  const results = [{ messages: pair('m1', 'm2'), score: 0.9 }, { messages: pair('m3', 'm4') }, null]
  await standIn(
    {
      search_hard: (message) => {
        asked.push(message)
        return { type: 'hard_memories', results }
      },
      get_history: (message) => {
        asked.push(message)
        return { type: 'history', messages: pair('h1', 'h2') }
      },
    },
    socket,
  )
  return asked
}

describe('ctx', () => {
  it('orders examples, hard memories and history', async () => {
    const { build, context } = await startIn(tempFolder())
    const asked = await memAt(context.config.mem.socket)
    expect(await build({ channel_id: 'c', user_message: 'hello' })).toEqual({
      type: 'context',
      messages: [...examples, ...pair('m1', 'm2'), ...pair('m3', 'm4'), ...pair('h1', 'h2')],
    })
    expect(asked).toContainEqual({ type: 'search_hard', query: 'hello', top_k: 3, min_score: 0.55 })
    expect(asked).toContainEqual({ type: 'get_history', channel_id: 'c', limit: 50 })
  })

  it('leaves out empty answers and forgotten messages of the history', async () => {
    const { build, context } = await startIn(tempFolder())
    const forgotten = { role: 'assistant', content: '', forgotten: true }
    const messages = [...pair('h1', ''), forgotten, ...pair('h2', 'h3')]
    await standIn({ get_history: () => ({ type: 'history', messages }) }, context.config.mem.socket)
    const { messages: built } = await build({ channel_id: 'c', user_message: 'hello' })
    expect(built).toEqual([...examples, ...pair('h1', '').slice(0, 1), ...pair('h2', 'h3')])
  })

  it.each([{}, { channel_id: null }, { channel_id: '' }])(
    'calls mem neither for history without a channel (%j) nor for a blank query',
    async (more) => {
      const { build, context } = await startIn(tempFolder())
      const asked = await memAt(context.config.mem.socket)
      expect(await build({ user_message: ' \n', ...more })).toEqual({
        type: 'context',
        messages: examples,
      })
      expect(asked).toEqual([])
    },
  )

  it.each([{}, { user_message: 5 }, { user_message: 'x', channel_id: 7 }])(
    'answers %j with an error',
    async (message) => {
      const { build } = await startIn(tempFolder())
      expect(await build(message)).toMatchObject({ type: 'error' })
    },
  )

  it('returns the examples without mem, and uses mem as soon as it is up', async () => {
    const { build, context } = await startIn(tempFolder())
    const message = { channel_id: 'c', user_message: 'hello' }
    expect((await build(message)).messages).toEqual(examples)
    await memAt(context.config.mem.socket)
    expect((await build(message)).messages).toHaveLength(8)
  })

  it('returns the examples when mem answers with an error', async () => {
    const { build, context } = await startIn(tempFolder())
    await standIn({}, context.config.mem.socket)
    expect((await build({ channel_id: 'c', user_message: 'x' })).messages).toEqual(examples)
  })

  it('omits the parts that the configuration disables', async () => {
    const off = { inject_skill_examples: false, inject_history: false, hard_memory_top_k: 0 }
    const { build, context } = await startIn(tempFolder(), off)
    await memAt(context.config.mem.socket)
    expect((await build({ channel_id: 'c', user_message: 'x' })).messages).toEqual([])
  })
})
