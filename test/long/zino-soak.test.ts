// Soak test: 200 concurrent clients, 20 of them slow readers, for half an hour
// (`ZEE_SOAK_SECONDS`). No frame is lost or mixed, memory does not grow, and the answer times are
// reported.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox, services } from '../contract/zino/sandbox.ts'
import { Caller, exchange, textOf } from '../contract/zino/wire.ts'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { fakeOpenAi } from '../support/fake-openai.ts'

const seconds = Number(process.env.ZEE_SOAK_SECONDS ?? 1800)
const clients = 180
const slowClients = 20
/** An answer that takes longer is lost, even on a busy machine. */
const hangMs = 120_000

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi(({ body }) => {
    // Half an hour of requests would fill the memory.
    model.requests.length = 0
    const text = body.messages.at(-1)?.content ?? ''
    return piecesOf(text, Math.max(9, Math.ceil(text.length / 200)))
  })
  box = new Sandbox({
    base: model.base,
    over: { logging: { level: 'ERROR' }, ctx: { history_limit: 4 } },
  })
  await box.up()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

it('zino serves 200 clients without a lost or mixed frame and without growing', async () => {
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end
  const times: number[] = []
  const weights: number[] = []
  const work = [
    ...Array.from({ length: clients }, (_, n) => client(n, isOver, times)),
    ...Array.from({ length: slowClients }, (_, n) => slowClient(n, isOver)),
    weigh(isOver, weights),
  ]
  await Promise.all(work)
  times.sort((one, other) => one - other)
  const percentile = (part: number) => times[Math.floor(times.length * part)]?.toFixed(1)
  const warm = weights[Math.floor(weights.length / 5)] ?? 0
  const last = weights.at(-1) ?? 0
  console.log(
    `${times.length} plain answers in ${seconds} s: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, ` +
      `longest ${times.at(-1)?.toFixed(0)} ms; ` +
      `memory of the seven services after warm-up ${warm.toFixed(0)} MiB, at the end ${last.toFixed(0)} MiB`,
  )
  expect(times.length).toBeGreaterThan(clients)
  expect(last).toBeLessThan(warm * 1.3)
  for (const name of services) expect(await box.answers(name)).toBe(true)
})

function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; start += size) {
    pieces.push(text.slice(start, start + size))
  }
  return pieces
}

/** Every other answer is streamed; each must equal the client's message. */
async function client(n: number, isOver: () => boolean, times: number[]): Promise<void> {
  const socket = box.socket('daemon')
  for (let round = 0; !isOver(); round += 1) {
    const message = `client ${n} round ${round} ${'☃'.repeat(n % 50)}`.trim()
    const began = performance.now()
    if (round % 2 === 0) {
      const answer = (await exchange(socket, { message }, hangMs)).at(-1) ?? {}
      if (answer.content !== message) throw new Error(`${message}: ${JSON.stringify(answer)}`)
      times.push(performance.now() - began)
      continue
    }
    const request = { message, stream: true, channel_id: `soak-${n % 10}` }
    const packets = await exchange(socket, request, hangMs)
    const last = packets.at(-1)
    if (last?.type !== 'done' || textOf(packets) !== message || last.full_text !== message) {
      throw new Error(`${message}: ${JSON.stringify(packets)}`)
    }
  }
}

/** Requests long answers and starts to read them late. */
async function slowClient(n: number, isOver: () => boolean): Promise<void> {
  const message = `slow ${n} ${'x'.repeat(200_000)}`
  while (!isOver()) {
    const caller = await Caller.open(box.socket('daemon'))
    caller.socket.pause()
    caller.send({ message, stream: true })
    await pause(2000)
    caller.socket.resume()
    const packets = await caller.answer(hangMs)
    if (textOf(packets) !== message) throw new Error(`slow ${n}: ${packets.length} packets`)
    caller.socket.destroy()
  }
}

async function weigh(isOver: () => boolean, weights: number[]): Promise<void> {
  const pids = services.map((name) => box.pidOf(name))
  while (!isOver()) {
    await pause(1000)
    const sizes = pids.map((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    })
    weights.push(sizes.reduce((sum, size) => sum + size, 0))
  }
}
