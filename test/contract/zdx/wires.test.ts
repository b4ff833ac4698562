// What every wire format must carry alike: elided results and the recall tool. Receipts, cut calls and
// images are in receipts.test.ts.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'
import { startWireServer, wires, type WireServer } from './wire-servers.ts'

let box: Sandbox
let server: WireServer
beforeEach(async () => {
  box = createSandbox()
  server = await startWireServer()
})
afterEach(async () => {
  box.remove()
  await server.close()
})

it.each(wires)('over $name old results are elided and the model recalls one', async (wire) => {
  const shell = (round: number) => ({
    command: `echo round-$((${round} * 11)); head -c 9000 /dev/zero | tr '\\0' x`,
  })
  let count = 0
  // An unknown model has a window of 100,000 tokens.
  server.respond = (response) => {
    count += 1
    if (count <= 4) return void response.end(wire.call('bash', shell(count), [21_000 * count, 5]))
    const call = wire.call('recall', { event: 4 }, [40_000, 5])
    return void response.end(count === 5 ? call : wire.answer('recalled', [40_000, 1]))
  }
  const ran = await box.zdx(
    ['exec', '-p', 'go', '--session', 's', '--provider', wire.name, '--model', 'unknown-model'],
    { env: wire.env(server.url) },
  )
  expect(ran).toMatchObject({ code: 0, stdout: 'recalled\n' })
  const [before = '', elided = '', after = ''] = server.bodies.slice(3)
  expect(before).toContain('round-11')
  expect(before).not.toContain('recall')
  expect(elided).toContain('[elided: result of event 4 (bash ')
  expect(elided).not.toContain('round-11')
  expect(elided).toContain('round-44')
  expect(elided).toMatch(/"name": ?"recall"/)
  expect(after).toContain('round-11')
})
