import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { append, history, search, start, startIn, store, user } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { startMemory } from './memory.ts'

describe('the soft memory', () => {
  it('is one private text that is replaced completely and survives a restart', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    expect(await first.ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: '' })
    const odd = 'line\ntwo ☃\r\n\0 $&'
    expect(await first.ask({ type: 'set_soft', content: odd })).toEqual({ type: 'ok' })
    expect(first.read('soft_memory.txt')).toBe(odd)
    expect(statSync(path.join(first.data, 'soft_memory.txt')).mode & 0o777).toBe(0o600)
    await first.stop()
    const { ask } = await startIn(folder)
    expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: odd })
  })

  it.each([undefined, null, 5, ['x'], { a: 1 }, '\ud800'])(
    'is not changed by the content %j',
    async (content) => {
      const { ask } = await start()
      await ask({ type: 'set_soft', content: 'old' })
      expect(await ask({ type: 'set_soft', content })).toMatchObject({ type: 'error' })
      expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: 'old' })
    },
  )

  it('is moved aside when its file is not UTF-8', async () => {
    const { ask, data } = await start()
    await ask({ type: 'get_soft' })
    writeFileSync(path.join(data, 'soft_memory.txt'), Buffer.from([0xff, 0xfe]))
    expect(await ask({ type: 'get_soft' })).toMatchObject({ type: 'error' })
    expect(readFileSync(path.join(data, 'soft_memory.txt.damaged-1'))).toEqual(
      Buffer.from([0xff, 0xfe]),
    )
    expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: '' })
  })
})

describe('mem', () => {
  it('counts channels, messages and memories in stats', async () => {
    const { ask, data } = await start()
    await ask(append('a', 'x', 'y'))
    await ask(append('b', 'z'))
    for (const text of ['one', 'two', 'three']) await ask(store(text))
    await ask({ type: 'forget_hard', id: 0 })
    await ask(search('two'))
    await ask({ type: 'set_soft', content: 'é' })
    expect(await ask({ type: 'stats' })).toMatchObject({
      type: 'stats',
      channels: 2,
      channel_messages: 3,
      hard_memories: 2,
      hard_forgotten: 1,
      hard_never_found: 1,
      soft_bytes: 2,
      channel_bytes: ['a', 'b']
        .map((name) => statSync(path.join(data, `channels/${name}.json`)).size)
        .reduce((sum, size) => sum + size),
      hard_bytes: statSync(path.join(data, 'hard_memories.json')).size,
    })
  })

  it('waits while its predecessor still holds the data folder', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(append('c', 'x'))
    const context = contextIn(folder, {
      mem: { data_dir: first.data, socket: path.join(folder, 'second.sock') },
    })
    await serveHere(startMemory(context), context.config.mem.socket)
    expect(await lastOf(context.config.mem.socket, { type: 'ping' })).toEqual({ type: 'pong' })
    const answer = lastOf(context.config.mem.socket, history('c'))
    await first.stop()
    expect(await answer).toMatchObject({ messages: [user('x')] })
  })

  it('does not start when the data folder cannot be created', async () => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'file'), '')
    const context = contextIn(folder, { mem: { data_dir: path.join(folder, 'file/data') } })
    expect(() => startMemory(context)).toThrow(/data folder/)
  })

  it('names an unknown message type in the error', async () => {
    const { ask } = await start()
    expect(await ask({ type: 'frobnicate' })).toEqual({
      type: 'error',
      message: 'Unknown message type: frobnicate',
    })
  })
})
