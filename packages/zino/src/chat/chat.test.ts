import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { standIn, serveHere } from '../../test/host.ts'
import { Program } from '../../test/program.ts'
import { until } from '../../test/until.ts'
import type { Handler } from '../service/service.ts'
import { handlersOf } from '../service/service.ts'
import type { Message } from '../wire/wire.ts'

async function daemonFor(zino: Program, answer: Handler): Promise<Message[]> {
  const seen: Message[] = []
  const untyped: Handler = (message, exchange) => {
    seen.push(message)
    return answer(message, exchange)
  }
  await serveHere({ handlers: handlersOf({}), untyped }, zino.socket('daemon'))
  return seen
}

const echo: Handler = async ({ message, stream }, exchange) => {
  if (stream !== true) return { type: 'response', content: `you said ${String(message)}` }
  await exchange.send({ type: 'chunk', delta: 'you ' })
  await exchange.send({ type: 'chunk', delta: `said ${String(message)}` })
  return { type: 'done', full_text: '' }
}

describe('zino chat', () => {
  it.each<[string[], Message]>([
    [['chat', 'hello', 'world'], { message: 'hello world', stream: false }],
    [['cli', 'hello  you'], { message: 'hello  you', stream: false }],
    [['chat', '-s', 'hi'], { message: 'hi', stream: true }],
    [['chat', 'hi', '--stream'], { message: 'hi', stream: true }],
    [['chat', '-ch', 'c 1', 'hi'], { message: 'hi', stream: false, channel_id: 'c 1' }],
    [['chat', 'hi', '--channel=c'], { message: 'hi', stream: false, channel_id: 'c' }],
    [['chat', '-s', '--channel', 'c', 'hi'], { message: 'hi', stream: true, channel_id: 'c' }],
    [['chat', '--', '-ch', '-x'], { message: '-ch -x', stream: false }],
  ])('%j sends %j and prints the answer', async (args, packet) => {
    const zino = new Program()
    const seen = await daemonFor(zino, echo)
    const [command = '', ...rest] = args
    const ended = await zino.run([command, '-c', zino.config, ...rest])
    expect(ended).toMatchObject({ code: 0, err: '', out: `you said ${String(packet.message)}\n` })
    expect(seen).toEqual([{ ...packet, approvals: true, turn: expect.any(String) }])
  })

  it('reads the message from stdin without arguments', async () => {
    const zino = new Program()
    const seen = await daemonFor(zino, echo)
    const ended = await zino.run(['chat'], 'from a\npipe\n')
    expect(ended.code).toBe(0)
    expect(seen).toMatchObject([{ message: 'from a\npipe\n', stream: false }])
  })

  it.each(['', ' \n'])('refuses the empty message %j on stdin with exit code 2', async (input) => {
    const zino = new Program()
    const ended = await zino.run(['chat'], input)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toMatch(/^zino: no message/)
  })

  it('prints deltas as they arrive and never half a surrogate pair', async () => {
    const zino = new Program()
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    await daemonFor(zino, async (_message, exchange) => {
      await exchange.send({ type: 'chunk', delta: 'first \ud83d' })
      await held
      await exchange.send({ type: 'chunk', delta: '\ude00' })
      return { type: 'done', full_text: '' }
    })
    const running = zino.start(['chat', '-s', 'hi'])
    await until(() => running.out === 'first ')
    go()
    expect((await running.ended).out).toBe('first 😀\n')
  })

  it('prints an error packet as one line and exits with code 1', async () => {
    const zino = new Program()
    await daemonFor(zino, async (_message, exchange) => {
      await exchange.chunk('half')
      return { type: 'error', message: 'the model\nis away' }
    })
    const ended = await zino.run(['chat', '-s', 'hi'])
    expect(ended).toMatchObject({ code: 1, out: 'half\n', err: 'zino: the model is away\n' })
  })

  it('reports a daemon that cannot be reached in one line', async () => {
    const zino = new Program()
    const none = await zino.run(['chat', 'hi'])
    expect(none.code).toBe(1)
    expect(none.err).toMatch(/^zino: cannot reach .*daemon\.sock.*\n$/)
    const away = await zino.run(['chat', 'hi', '--config', path.join(zino.folder, 'none.toml')])
    expect(away.code).toBe(1)
    expect(away.err.trim().split('\n')).toHaveLength(1)
  })

  it('uses the default daemon socket without a configuration file', async () => {
    const zino = new Program()
    const ended = zino.start(['chat', 'hi'], { cwd: '/' })
    expect((await ended.ended).err).toContain('/run/zino/daemon.sock')
  })

  it('says how to resume on SIGINT, and exits silently when stdout is closed', async () => {
    const zino = new Program()
    await daemonFor(zino, async (_message, exchange) => {
      for (;;) {
        await exchange.send({ type: 'chunk', delta: 'x'.repeat(10_000) })
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    const first = zino.start(['chat', '-s', 'hi'])
    await until(() => first.out !== '')
    const ended = await first.stop('SIGINT')
    expect(ended.signal).toBe('SIGINT')
    expect(ended.err).toMatch(/^\ninterrupted; continue with: zino chat --resume [\w-]+\n$/)
    const second = zino.start(['chat', '-s', 'hi'])
    await until(() => second.out !== '')
    second.child.stdout?.destroy()
    expect((await second.ended).err).toBe('')
  })
})

describe('zino memory', () => {
  it('stores, searches, shows and clears memories', async () => {
    const zino = new Program()
    const seen: Message[] = []
    const note =
      (reply: object): Handler =>
      (message) => {
        seen.push(message)
        return reply
      }
    const messages = [{ role: 'user', content: 'a fact' }]
    await standIn(
      {
        store_hard: note({ type: 'ok', id: 7 }),
        search_hard: note({ type: 'hard_memories', results: [{ messages, score: 0.5, tag: 't' }] }),
        get_soft: note({ type: 'soft_memory', content: 'soft' }),
        set_soft: note({ type: 'ok' }),
        get_history: note({ type: 'history', messages }),
        list_channels: note({ type: 'channels', channels: [{ channel_id: 'c', messages: 2 }] }),
        clear_history: note({ type: 'ok' }),
      },
      zino.socket('mem'),
    )
    await standIn(
      { set_soft_memory: note({ type: 'system_prompt', content: '' }) },
      zino.socket('sys'),
    )
    const run = async (...args: string[]) => {
      const { code, out, err } = await zino.run(['memory', ...args])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      return out
    }
    expect(await run('add', 'a', 'fact', '--tag', 't')).toBe('remembered as 7\n')
    expect(seen.pop()).toEqual({ type: 'store_hard', messages, tag: 't' })
    expect(await run('search', 'fact', '--top', '2')).toBe('0.500 [t]\n  user: a fact\n')
    expect(seen.pop()).toEqual({ type: 'search_hard', query: 'fact', top_k: 2 })
    expect(await run('soft')).toBe('soft\n')
    expect(await run('soft', 'new')).toBe('stored\n')
    expect(seen.splice(-2)).toEqual([
      { type: 'set_soft', content: 'new' },
      { type: 'set_soft_memory', content: 'new' },
    ])
    expect(await run('history', 'c')).toBe('user: a fact\n')
    expect(await run('channels')).toBe('c  2 messages\n')
    expect(JSON.parse(await run('channels', '--json'))).toEqual({
      channels: [{ channel_id: 'c', messages: 2 }],
    })
    expect(await run('clear', 'c', '--yes')).toBe('cleared\n')
    expect(seen.pop()).toEqual({ type: 'clear_history', channel_id: 'c', report: true })
  })
})
