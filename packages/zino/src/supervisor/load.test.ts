import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Caller } from '../../test/caller.ts'
import type { Reply } from '../../test/fake-api.ts'
import { delta, event, fakeApi, finish, streams } from '../../test/fake-api.ts'
import { Program } from '../../test/program.ts'
import { until } from '../../test/until.ts'
import { askService, callService } from '../client/client.ts'
import { serviceNames } from '../services/services.ts'

/** Answers with the user's message three times, in pieces. */
const echo: Reply = (response, request, number) => {
  const messages = request.body.messages as { content: string }[]
  const words = `${messages.at(-1)?.content} `.repeat(3)
  const pieces = words.match(/[^]{1,9}/g) ?? []
  return streams((to) => {
    let index = 0
    const next = () => {
      if (to.destroyed) return
      if (index < pieces.length) to.write(delta(pieces[index++] ?? ''))
      else {
        to.end(finish + event('[DONE]'))
        return
      }
      setImmediate(next)
    }
    next()
  })(response, request, number)
}

function rssOf(zino: Program): number {
  const pids = serviceNames.flatMap((name) => zino.pidOf(name) ?? [])
  return pids.reduce((sum, pid) => {
    const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return sum + Number(found?.[1] ?? 0)
  }, 0)
}

async function talk(socket: string, message: string): Promise<void> {
  let text = ''
  for await (const frame of callService(socket, { message, stream: true })) {
    if (frame.type === 'chunk') text += String(frame.delta)
    else {
      expect(frame).toMatchObject({ type: 'done', full_text: text })
      expect(text).toBe(`${message} `.repeat(3))
    }
  }
}

describe('seven services under load', () => {
  it('lose and mix nothing with 100 concurrent clients, 20 of them slow readers', async () => {
    const api = await fakeApi(echo)
    const zino = new Program({ api: { base_url: api.base }, logging: { level: 'ERROR' } })
    await zino.up()
    const socket = zino.socket('daemon')
    const long = 'slow '.repeat(4000)
    const slow = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const caller = await Caller.open(socket)
        caller.send({ message: long, stream: true })
        caller.socket.pause()
        return caller
      }),
    )
    let served = 0
    const client = async (n: number, rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        await talk(socket, `client ${n} round ${round} x${'x'.repeat(n)}`)
        served += 1
      }
    }
    await Promise.all(Array.from({ length: 80 }, (_, n) => client(n, 2)))
    const before = rssOf(zino)
    await Promise.all(Array.from({ length: 80 }, (_, n) => client(n, 3)))
    expect(served).toBe(400)
    expect(rssOf(zino)).toBeLessThan(before * 1.3)
    for (const caller of slow) {
      caller.socket.resume()
      const frames = await caller.answer()
      expect(frames.at(-1)).toMatchObject({ type: 'done' })
    }
  })

  it('abort the model request within a second after the client disconnects', async () => {
    const api = await fakeApi(streams((response) => void response.write(delta('a'))))
    const zino = new Program({ api: { base_url: api.base } })
    await zino.up()
    for (const stream of [true, false]) {
      const caller = await Caller.open(zino.socket('daemon'))
      const count = api.requests.length
      caller.send({ message: 'hi', stream })
      await until(() => api.requests.length > count)
      if (stream) await caller.next()
      caller.socket.destroy()
      await until(() => api.requests.at(-1)?.aborted === true, 1000)
    }
  })

  it('keep answering when each of them is killed in turn', async () => {
    const api = await fakeApi(echo)
    const zino = new Program({ api: { base_url: api.base }, logging: { level: 'ERROR' } })
    await zino.up()
    const socket = zino.socket('daemon')
    const over = new AbortController()
    let answered = 0
    const client = async (n: number) => {
      while (!over.signal.aborted) {
        const message = `client ${n}`
        try {
          const answer = await askService(socket, { message })
          if (answer.type === 'response') answered += 1
          else expect(answer.type).toBe('error')
        } catch (error) {
          // The daemon itself was killed.
          expect(error).toMatchObject({ code: expect.stringMatching(/^service_/) })
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    }
    const clients = Array.from({ length: 8 }, (_, n) => client(n))
    for (const name of serviceNames) {
      const pid = zino.pidOf(name) as number
      process.kill(pid, 'SIGKILL')
      await until(async () => {
        const now = zino.pidOf(name)
        return now !== undefined && now !== pid && (await zino.answers(name))
      })
      const before = answered
      await until(() => answered > before + 8)
    }
    over.abort()
    await Promise.all(clients)
    await talk(socket, 'still here')
  })
})
