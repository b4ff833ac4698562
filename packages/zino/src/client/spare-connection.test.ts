import { renameSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { until } from '../../test/until.ts'
import { encodeFrame } from '../wire/wire.ts'
import { askService } from './client.ts'
import { SpareConnection } from './spare-connection.ts'

interface Listener {
  server: Server
  connections: number
}

/** Answers with its name, on every connection it has accepted. */
async function listen(socket: string, name: string): Promise<Listener> {
  const listener: Listener = { server: createServer(), connections: 0 }
  listener.server.on('connection', (caller) => {
    listener.connections += 1
    caller.on('error', () => {})
    caller.on('data', () => caller.write(encodeFrame({ type: 'name', name })))
    onTestFinished(() => void caller.destroy())
  })
  await new Promise<void>((resolve) => listener.server.listen(socket, resolve))
  onTestFinished(() => void listener.server.close())
  return listener
}

function spareFor(socket: string, options?: { isRepeatable: boolean }): SpareConnection {
  const spare = new SpareConnection(socket, options)
  onTestFinished(() => spare.close())
  return spare
}

const ask = (socket: string, spare: SpareConnection) =>
  askService(socket, { type: 'who' }, { connection: spare.take() })

describe('a spare connection', () => {
  it('is opened in advance and carries one request', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const listener = await listen(socket, 'a')
    const spare = spareFor(socket)
    spare.open()
    spare.open()
    await until(() => listener.connections === 1)
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'a' })
    expect(listener.connections).toBe(1)
    expect(spare.take()).toBeUndefined()
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'a' })
    expect(listener.connections).toBe(2)
  })

  it('leads to the current listener of the path', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const first = await listen(socket, 'first')
    const spare = spareFor(socket)
    spare.open()
    await until(() => first.connections === 1)
    // The first listener keeps running and would still answer.
    renameSync(socket, `${socket}.old`)
    await listen(socket, 'second')
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'second' })
  })

  it('is replaced after the service has closed it', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const listener = await listen(socket, 'a')
    listener.server.prependOnceListener('connection', (caller) => caller.end())
    const spare = spareFor(socket)
    spare.open()
    await until(() => listener.connections === 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'a' })
    expect(listener.connections).toBe(2)
  })

  it('is absent while the service is down and present once it is up', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const spare = spareFor(socket)
    spare.open()
    expect(spare.take()).toBeUndefined()
    await expect(ask(socket, spare)).rejects.toMatchObject({ code: 'service_unreachable' })
    const { server } = await listen(socket, 'a')
    spare.open()
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'a' })
    spare.open()
    server.close()
    try {
      unlinkSync(socket)
    } catch {
      // Closing has removed it.
    }
    await expect(ask(socket, spare)).rejects.toMatchObject({ code: 'service_unreachable' })
  })

  it('for a request that can be sent again stays open when the path has a new listener', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const first = await listen(socket, 'first')
    const spare = spareFor(socket, { isRepeatable: true })
    spare.open()
    await until(() => first.connections === 1)
    unlinkSync(socket)
    await listen(socket, 'second')
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'first' })
    expect(await ask(socket, spare)).toEqual({ type: 'name', name: 'second' })
  })
})
