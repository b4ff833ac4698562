// A receipt for every request that a provider may charge, over each of the four wire formats.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'
import { startWireServer, wires, type Wire, type WireServer } from './wire-servers.ts'

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

const run = (wire: Wire, ...args: string[]) =>
  box.zdx(['exec', '-p', 'hi', '--session', 's', '--provider', wire.name, ...args], {
    env: wire.env(server.url),
  })

interface ReceiptLine {
  type: string
  usage: { input_tokens: number; output_tokens: number }
  usage_estimated?: boolean
  stop?: string
  duration_ms?: number
}

const receipts = () =>
  box.session('s').filter(({ usage }) => usage !== undefined) as unknown as ReceiptLine[]

const counts = () =>
  receipts().map(({ usage }) => [usage.input_tokens, usage.output_tokens] as const)

/** Writes the frames, then drops the connection. */
const cutAfter = (text: string) => (response: ServerResponse) => {
  response.write(text, () => setTimeout(() => response.socket?.destroy(), 20))
}

describe.each(wires)('receipts over $name', (wire) => {
  it('rides on the answer, with stop reason and duration', async () => {
    server.respond = (response) => response.end(wire.answer('ok', [11, 3]))
    expect(await run(wire)).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(receipts()).toMatchObject([{ type: 'message', stop: 'end' }])
    expect(counts()).toEqual([[11, 3]])
    expect(receipts()[0]?.usage_estimated).toBeUndefined()
    expect(receipts()[0]?.duration_ms).toBeGreaterThanOrEqual(0)
  })

  it('is a line of its own if the answer is thinking alone, and exec exits with 1', async () => {
    server.respond = (response) => response.end(wire.thinkingOnly([12, 4]))
    const ran = await run(wire)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('no text and no completed tool call')
    expect(receipts()).toMatchObject([{ type: 'receipt', stop: 'end' }])
    expect(counts()).toEqual([[12, 4]])
  })

  it('is kept if the answer stops within a tool call, and exec exits with 1', async () => {
    server.respond = (response) => response.end(wire.cutCall([13, 5]))
    const ran = await run(wire)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('raise max_tokens')
    expect(receipts()).toMatchObject([{ type: 'receipt', stop: 'max_tokens' }])
    expect(counts()).toEqual([[13, 5]])
  })

  it('is kept if the connection breaks after the first text', async () => {
    server.respond = cutAfter(wire.begin('half', [14, 1]))
    expect(await run(wire)).toMatchObject({ code: 1 })
    expect(receipts()).toMatchObject([{ type: 'receipt', stop: 'error' }])
    if (wire.reportsEarly) expect(counts()).toEqual([[14, 1]])
    else expect(receipts()[0]).toMatchObject({ usage_estimated: true })
  })

  it('is kept for an attempt that fails before any text and is retried', async () => {
    let request = 0
    server.respond = (response) => {
      if (++request === 1) cutAfter(wire.begin('', [15, 1]))(response)
      else response.end(wire.answer('ok', [15, 2]))
    }
    expect(await run(wire)).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(receipts().map(({ type }) => type)).toEqual(['receipt', 'message'])
    expect(counts()[1]).toEqual([15, 2])
    if (wire.reportsEarly) expect(counts()[0]).toEqual([15, 1])
    else expect(receipts()[0]).toMatchObject({ usage_estimated: true, stop: 'error' })
  })

  it('is kept if the user interrupts the answer', async () => {
    server.respond = (response) => void response.write(wire.begin('half', [16, 1]))
    const child = box.start(
      ['exec', '-p', 'hi', '--session', 's', '--provider', wire.name],
      wire.env(server.url),
    )
    child.stderr?.resume()
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    child.kill('SIGINT')
    expect((await once(child, 'close'))[0]).toBe(130)
    expect(receipts()).toMatchObject([{ type: 'message', stop: 'interrupted' }])
    if (wire.reportsEarly) expect(counts()).toEqual([[16, 1]])
    else expect(receipts()[0]).toMatchObject({ usage_estimated: true })
  })

  it('is not written for a refused request', async () => {
    server.status = 400
    server.respond = (response) => response.end(JSON.stringify({ error: { message: 'no' } }))
    expect(await run(wire)).toMatchObject({ code: 1 })
    expect(receipts()).toEqual([])
  })

  it('counts in the statistics', async () => {
    server.respond = (response) => response.end(wire.thinkingOnly([12, 4]))
    await run(wire)
    const { stdout } = await box.zdx(['sessions', 'stats', 's'])
    expect(stdout).toMatch(/ 1 +12 +0 +4 /)
  })

  it('sends an image that was read to a model that accepts images', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    box.put('p.png', Buffer.from(png, 'base64'))
    let request = 0
    server.respond = (response) => {
      const call = wire.call('read', { path: 'p.png' }, [20, 5])
      response.end(++request === 1 ? call : wire.answer('seen', [30, 1]))
    }
    expect(await run(wire)).toMatchObject({ code: 0, stdout: 'seen\n' })
    expect(server.bodies[1]).toContain(png)
    expect(server.bodies[1]).toContain('image/png')
    // A resumed session sends it again; a model without images gets the line alone.
    await run(wire)
    expect(server.bodies[2]).toContain(png)
    await run(wire, '--model', 'unknown-model')
    expect(server.bodies[3]).not.toContain(png)
    expect(server.bodies[3]).toContain('Image: image/png, 70 bytes')
  })
})
