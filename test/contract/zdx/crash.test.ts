// SIGKILL at random instants: the session always loads, resumes and is accepted by a strict API.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FakeAnthropic } from '../../support/fake-anthropic.ts'
import {
  fakeAnthropic,
  messageEnd,
  messageStart,
  openStream,
  streamOf,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 30)
const atOnce = 6

let server: FakeAnthropic
let box: Sandbox
beforeAll(async () => {
  server = await fakeAnthropic(async (request, response) => {
    const last = JSON.stringify(request.body.messages.at(-1))
    openStream(response)
    if (last.includes('tool_result')) {
      response.write(messageStart() + textStart())
      for (let index = 0; index < 5; index++) {
        await sleep(2)
        response.write(textDelta(`word ${index} `))
      }
      response.end(messageEnd())
      return
    }
    const command = 'head -c 300000 /dev/zero | tr "\\\\0" y'
    const blocks = [
      { text: ['I will look.'] },
      { tool: 'bash', input: { command } },
      { tool: 'write', input: { path: 'f', content: 'x' } },
    ]
    for (const line of streamOf(blocks)) {
      await sleep(1)
      response.write(line)
    }
    response.end()
  })
  box = createSandbox(server)
})
afterAll(async () => {
  box.remove()
  await server.close()
})

it(`a session survives SIGKILL at ${rounds} random instants`, { timeout: 3_600_000 }, async () => {
  let left = rounds
  const refused: string[] = []
  const worker = async (id: string) => {
    while (left > 0) {
      left -= 1
      const child = box.start(['exec', '-p', `go ${left}`, '--session', id])
      let stderr = ''
      child.stderr?.on('data', (chunk) => (stderr += chunk))
      child.stdout?.resume()
      const timer = setTimeout(() => child.kill('SIGKILL'), 30 + Math.random() * 250)
      await once(child, 'close')
      clearTimeout(timer)
      if (/HTTP 400|Error/.test(stderr)) refused.push(stderr)
    }
  }
  const ids = Array.from({ length: atOnce }, (_each, index) => `crash-${index}`)
  await Promise.all(ids.map(worker))
  expect(refused).toEqual([])
  for (const id of ids) {
    const ran = await box.exec('last', '--session', id)
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
  }
})
