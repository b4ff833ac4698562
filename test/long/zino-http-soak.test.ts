// 200 streams at a time through the bridge of a complete zino, for ten minutes (ZEE_SOAK_SECONDS), with
// the default heap: every stream completes, and no process grows after its warm-up.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, streaming } from '../support/fake-openai.ts'

const streams = 200
const pieces = 40
const pieceMs = 200
const minutes = Math.ceil(Number(process.env.ZEE_SOAK_SECONDS ?? 600) / 60)
const endMs = minutes * 60_000
/** V8 sizes its young generation by load; growth above this is a leak. */
const maxGrowthMib = 40
const measured = ['http', 'daemon', 'rtr', 'agr'] as const

let model: FakeOpenAi
let box: Sandbox
let base: URL
let token: string
beforeAll(async () => {
  model = await fakeOpenAi(() =>
    streaming(async (response) => {
      for (let piece = 0; piece < pieces && !response.destroyed; piece += 1) {
        response.write(delta(`piece ${piece} `))
        await pause(pieceMs)
      }
      response.end(ending)
    }),
  )
  const over = { http: { port: 0, token_file: 'token', enabled: true } }
  box = new Sandbox({ base: model.base, over })
  await box.up()
  await until(() => box.answers('http'), 30_000)
  base = new URL(String((await box.ask('http', { type: 'address' })).url))
  token = readFileSync(box.at('token'), 'utf8').trim()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

async function stream(number: number): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = http.request(new URL('/v1/chat/completions', base), { method: 'POST', headers })
  call.end(JSON.stringify({ stream: true, messages: [{ role: 'user', content: `go ${number}` }] }))
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return text
}

async function residentMib(): Promise<number[]> {
  const { services } = await box.ask('control', { type: 'status' })
  const rows = services as { name: string; rss_bytes: number }[]
  const bytes = (name: string) => rows.find((row) => row.name === name)?.rss_bytes ?? Number.NaN
  return measured.map((name) => Math.round(bytes(name) / 1024 / 1024))
}

it(
  `${streams} streams at a time complete for ${minutes} minutes with flat memory`,
  { timeout: endMs + 300_000 },
  async () => {
    const began = performance.now()
    const table: number[][] = []
    let completed = 0
    const client = async (number: number) => {
      while (performance.now() - began < endMs) {
        const text = await stream(number)
        expect(text).toContain(`piece ${pieces - 1} `)
        expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
        completed += 1
      }
    }
    const clients = Promise.all(Array.from({ length: streams }, (_, number) => client(number)))
    for (let minute = 1; minute <= minutes; minute += 1) {
      await Promise.race([
        clients,
        pause(Math.max(0, minute * 60_000 - (performance.now() - began))),
      ])
      const resident = await residentMib()
      table.push(resident)
      const cells = measured.map((name, index) => `${name} ${resident[index]}`)
      process.stderr.write(`minute ${minute}: ${completed} streams, MiB: ${cells.join(', ')}\n`)
    }
    await clients
    const [first = [], last = []] = [table[0], table.at(-1)]
    for (const [index, name] of measured.entries()) {
      expect((last[index] ?? 0) - (first[index] ?? 0), name).toBeLessThan(maxGrowthMib)
    }
  },
)
