// Many streams at once through the bridge: all complete, and the memory of the bridge stays flat.
// ZEE_ROUNDS sets the number of streams; 200 run at a time.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, streaming } from '../support/fake-openai.ts'
import type { Running } from '../contract/zino/sandbox.ts'
import { Sandbox, until } from '../contract/zino/sandbox.ts'

const streams = 200
const rounds = Math.max(2, Math.ceil(Number(process.env.ZEE_ROUNDS ?? 10_000) / streams))
const pieces = 20
const maxGrowthBytes = 64 * 1024 * 1024

let model: FakeOpenAi
let box: Sandbox
let bridge: Running
let base: URL
let token: string
beforeAll(async () => {
  const text = Array.from({ length: pieces }, (_, index) => delta(`piece ${index} `)).join('')
  model = await fakeOpenAi(() => streaming((response) => void response.end(text + ending)))
  box = new Sandbox({ base: model.base, over: { http: { port: 0, token_file: 'token' } } })
  await box.serve('daemon', 'rtr', 'agr')
  // A small heap makes V8 collect garbage, so that growth is a leak.
  const env = { NODE_OPTIONS: '--max-old-space-size=40' }
  bridge = box.start(['http', '--config', box.config], { env })
  await until(() => bridge.stdout.includes('listening at '), 30_000)
  base = new URL(/listening at (\S+)/.exec(bridge.stdout)?.[1] ?? '')
  token = readFileSync(box.at('token'), 'utf8').trim()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'go' }] })

async function stream(): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = http.request(new URL('/v1/chat/completions', base), { method: 'POST', headers })
  call.end(body)
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return text
}

function residentBytes(): number {
  const status = readFileSync(`/proc/${bridge.child.pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

/** Asks for a stream and reads nothing. */
function silentReader(): net.Socket {
  const socket = net.connect(Number(base.port), base.hostname)
  socket.on('error', () => {})
  socket.pause()
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${base.host}\r\n`
  socket.write(
    `${head}authorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

describe('the bridge under load', () => {
  it('completes every stream with flat memory, beside clients that do not read', async () => {
    const silent = Array.from({ length: 5 }, silentReader)
    let before = 0
    for (let round = 0; round < rounds; round += 1) {
      const texts = await Promise.all(Array.from({ length: streams }, stream))
      for (const text of texts) {
        expect(text).toContain(`piece ${pieces - 1} `)
        expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
      }
      if (round === 0) before = residentBytes()
    }
    expect(residentBytes() - before).toBeLessThan(maxGrowthBytes)
    for (const socket of silent) socket.destroy()
    await until(async () => {
      const { turns } = await box.ask('daemon', { type: 'turns' })
      return Array.isArray(turns) && turns.length === 0
    }, 30_000)
  }, 1_200_000)
})
