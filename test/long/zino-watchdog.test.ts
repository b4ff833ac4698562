// A stopped service is found by its missing pings and is back within 30 s; a running turn waits for it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { fakeOpenAi } from '../support/fake-openai.ts'

/** A busy machine may need longer than the 30 s of the contract for the start itself. */
const maxMs = 60_000

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base })
  await box.up()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

it.each(['ctx', 'mem', 'daemon'] as const)('%s is restarted after SIGSTOP', async (name) => {
  const before = box.pidOf(name) as number
  const began = performance.now()
  process.kill(before, 'SIGSTOP')
  await until(async () => box.pidOf(name) !== before && (await box.answers(name)), maxMs)
  process.stderr.write(`${name} was back after ${Math.round(performance.now() - began)} ms\n`)
  expect(await box.ask('daemon', { message: 'hi' })).toMatchObject({ content: 'ok' })
})
