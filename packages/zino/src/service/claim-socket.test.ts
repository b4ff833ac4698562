import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lastOf } from '../../test/caller.ts'
import { recordingLog } from '../../test/log.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { serve } from './serve.ts'
import { handlersOf } from './service.ts'

describe('claiming a socket', () => {
  const service = { handlers: handlersOf({}) }
  const options = (socket: string) => ({ path: socket, log: recordingLog() })
  const modeOf = (file: string) => statSync(file).mode & 0o777

  it.each(['000', '022', '077', '777'])('gives others no rights under umask %s', async (digits) => {
    const mask = Number.parseInt(digits, 8)
    const folder = path.join(tempFolder(), 'a/b')
    const socket = path.join(folder, 's.sock')
    const before = process.umask(mask)
    try {
      const running = await serve(service, options(socket))
      onTestFinished(() => running.stop())
    } finally {
      process.umask(before)
    }
    expect(modeOf(folder)).toBe(0o750)
    expect(modeOf(path.dirname(folder))).toBe(0o750)
    expect(modeOf(socket)).toBe(0o660)
  })

  it('does not change the mode of an existing folder', async () => {
    const folder = tempFolder()
    chmodSync(folder, 0o711)
    const running = await serve(service, options(path.join(folder, 's.sock')))
    onTestFinished(() => running.stop())
    expect(modeOf(folder)).toBe(0o711)
  })

  it('replaces the socket of a dead service', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    await leaveDeadSocket(socket)
    const running = await serve(service, options(socket))
    onTestFinished(() => running.stop())
    expect(await lastOf(socket, { type: 'ping' })).toEqual({ type: 'pong' })
    expect(existsSync(`${socket}.lock`)).toBe(false)
  })

  it('refuses the socket of a live service and leaves it alone', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const running = await serve(service, options(socket))
    onTestFinished(() => running.stop())
    await expect(serve(service, options(socket))).rejects.toMatchObject({ code: 'in_use' })
    expect(await lastOf(socket, { type: 'ping' })).toEqual({ type: 'pong' })
  })

  it('lets only one of twelve starting services claim a dead socket', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    await leaveDeadSocket(socket)
    const all = await Promise.allSettled(
      Array.from({ length: 12 }, () => serve(service, options(socket))),
    )
    const winners = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    onTestFinished(() => winners[0]?.stop())
    expect(winners).toHaveLength(1)
    expect(await lastOf(socket, { type: 'ping' })).toEqual({ type: 'pong' })
  })

  it.each(['a file', 'a folder'])('refuses %s at the socket path and keeps it', async (kind) => {
    const socket = path.join(tempFolder(), 's.sock')
    if (kind === 'a file') writeFileSync(socket, 'mine')
    else mkdirSync(socket)
    await expect(serve(service, options(socket))).rejects.toMatchObject({ code: 'not_a_socket' })
    expect(lstatSync(socket).isSocket()).toBe(false)
  })

  it('names the limit when the path is too long', async () => {
    const socket = path.join(tempFolder(), `${'x'.repeat(100)}.sock`)
    await expect(serve(service, options(socket))).rejects.toThrow(/107/)
  })
})

/** Leaves a socket file without a listener, as a killed service does. */
async function leaveDeadSocket(socket: string): Promise<void> {
  const server = createServer()
  const other = `${socket}.tmp`
  server.listen(other)
  await once(server, 'listening')
  linkSync(other, socket)
  server.close()
  await once(server, 'close')
}
