import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { Server } from 'node:net'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { listenOnUnixSocket, maxSocketPathBytes, socketFile } from './unix-socket.ts'

const options = { mode: 0o660, lockWaitMs: 20_000 }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function newServer(greeting = 'hello'): Server {
  const server = createServer((socket) => socket.on('error', () => {}).end(greeting))
  servers.push(server)
  return server
}

async function greetingOf(file: string): Promise<string> {
  let text = ''
  for await (const chunk of createConnection(file).setEncoding('utf8')) text += String(chunk)
  return text
}

/** The socket of a killed process. */
async function leaveSocket(file: string): Promise<void> {
  const code = `require('net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`
  await once(spawn(process.execPath, ['-e', code]), 'exit')
  expect(lstatSync(file).isSocket()).toBe(true)
}

describe('listenOnUnixSocket', () => {
  it('gives the socket its name only after the server has begun to listen', async () => {
    const file = path.join(tempFolder(), 's.sock')
    const server = newServer()
    const listen = server.listen.bind(server)
    const namesWhileListening: string[][] = []
    // bind(2) and listen(2) happen inside the call.
    server.listen = ((...args: Parameters<typeof listen>) => {
      const result = listen(...args)
      namesWhileListening.push(readdirSync(path.dirname(file)))
      return result
    }) as typeof server.listen
    expect(await listenOnUnixSocket(server, file, options)).toMatchObject({ kind: 'listening' })
    expect(namesWhileListening).toEqual([[expect.stringMatching(/^\.s\.sock\.[0-9a-f]{6}$/)]])
    expect(readdirSync(path.dirname(file))).toEqual(['s.sock'])
    expect(await greetingOf(file)).toBe('hello')
  })

  it('accepts connections as soon as the file exists, also under the longest path', async () => {
    const folder = tempFolder()
    const longest = path.join(folder, 'x'.repeat(maxSocketPathBytes - folder.length - 1))
    const claim = await listenOnUnixSocket(newServer('long'), longest, options)
    expect(claim.kind).toBe('listening')
    expect(await greetingOf(longest)).toBe('long')
  })

  it('sets the rights of the socket whatever the umask', async () => {
    const file = path.join(tempFolder(), 's.sock')
    const before = process.umask(0)
    try {
      await listenOnUnixSocket(newServer(), file, { ...options, mode: 0o600 })
    } finally {
      process.umask(before)
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('never replaces a live server, and removes the temporary name', async () => {
    const file = path.join(tempFolder(), 's.sock')
    await listenOnUnixSocket(newServer('first'), file, options)
    const second = newServer('second')
    expect(await listenOnUnixSocket(second, file, options)).toEqual({ kind: 'in_use' })
    expect(second.listening).toBe(false)
    expect(await greetingOf(file)).toBe('first')
    expect(readdirSync(path.dirname(file))).toEqual(['s.sock'])
  })

  it('replaces the socket of a killed server, and lets one of many do so', async () => {
    const file = path.join(tempFolder(), 's.sock')
    await leaveSocket(file)
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        listenOnUnixSocket(newServer(String(number)), file, options),
      ),
    )
    const kinds = claims.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'listening')).toHaveLength(1)
    expect(await greetingOf(file)).toBe(String(kinds.indexOf('listening')))
    expect(readdirSync(path.dirname(file))).toEqual(['s.sock'])
  })

  it('keeps a file that is not a socket', async () => {
    const file = path.join(tempFolder(), 's.sock')
    writeFileSync(file, 'mine')
    expect(await listenOnUnixSocket(newServer(), file, options)).toEqual({ kind: 'not_a_socket' })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('removes its own socket and never that of a successor', async () => {
    const file = path.join(tempFolder(), 's.sock')
    const first = newServer('first')
    const claim = await listenOnUnixSocket(first, file, options)
    if (claim.kind !== 'listening') throw new Error(claim.kind)
    claim.remove()
    expect(existsSync(file)).toBe(false)
    const successor = await listenOnUnixSocket(newServer('next'), file, options)
    claim.remove()
    expect(await greetingOf(file)).toBe('next')
    expect(successor.kind).toBe('listening')
  })

  it.runIf(process.platform === 'linux')(
    'is listed by the kernel under a name that tells the file',
    async () => {
      const file = path.join(tempFolder(), 's.sock')
      await listenOnUnixSocket(newServer(), file, options)
      const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
      const bound = lines.map((line) => line.split(' ').at(-1) ?? '')
      expect(bound.map(socketFile)).toContain(file)
      expect(socketFile('/run/other.sock')).toBe('/run/other.sock')
    },
  )
})

it.each([
  ['/run/.s.sock.012def', '/run/s.sock'],
  ['/run/..012def', '/run/..012def'],
  ['/run/.s.sock.012de', '/run/.s.sock.012de'],
  ['/run/.s.sock.012def0', '/run/.s.sock.012def0'],
  ['/run/s.sock.012def', '/run/s.sock.012def'],
  ['.a.b.ffffff', 'a.b'],
  ['', ''],
])('the kernel lists %j for the file %j', (bound, file) => {
  expect(socketFile(bound)).toBe(file)
})

it.runIf(process.platform === 'linux')('the longest path of a socket has 107 bytes', () => {
  expect(maxSocketPathBytes).toBe(107)
})

describe('a path for a socket', () => {
  it.each([
    [107, true],
    [108, false],
  ])('with a temporary name of %i bytes gets it first: %s', async (length, isTemporary) => {
    const folder = tempFolder()
    // A dot before the name; another and six digits after it.
    const file = path.join(folder, 'x'.repeat(length - folder.length - 1 - 8))
    const server = newServer()
    const listen = vi.spyOn(server, 'listen')
    expect((await listenOnUnixSocket(server, file, options)).kind).toBe('listening')
    const [bound] = listen.mock.calls.map(([first]) => (first as { path: string }).path)
    expect(bound === file).toBe(!isTemporary)
    expect(readdirSync(folder)).toEqual([path.basename(file)])
  })

  it('without a folder is refused', async () => {
    const folder = tempFolder()
    const lost = path.join(folder, 'none/s.sock')
    await expect(listenOnUnixSocket(newServer(), lost, options)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:EACCES|ENOENT)$/),
    })
  })

  it('of which only the short name fits is never that of a live server', async () => {
    const folder = tempFolder()
    const file = path.join(folder, 'x'.repeat(maxSocketPathBytes - folder.length - 1))
    const first = newServer('first')
    expect((await listenOnUnixSocket(first, file, options)).kind).toBe('listening')
    const second = newServer('second')
    expect(await listenOnUnixSocket(second, file, options)).toEqual({ kind: 'in_use' })
    expect(await greetingOf(file)).toBe('first')
    expect([second.listening, second.listenerCount('error')]).toEqual([false, 0])
    expect([first.listening, first.listenerCount('error')]).toEqual([true, 0])
  })

  it('is claimed with the process unchanged', async () => {
    const before = process.umask()
    const server = newServer()
    const file = path.join(tempFolder(), 's.sock')
    for (const mode of [0o600, 0o777]) {
      const claim = await listenOnUnixSocket(newServer(), `${file}${mode}`, { ...options, mode })
      expect(claim.kind).toBe('listening')
      expect(statSync(`${file}${mode}`).mode & 0o777).toBe(mode)
    }
    expect((await listenOnUnixSocket(server, file, options)).kind).toBe('listening')
    expect([process.umask(), server.listenerCount('error')]).toEqual([before, 0])
    expect(server.listenerCount('listening')).toBe(0)
  })

  it('is left to a file that took its place', async () => {
    const file = path.join(tempFolder(), 's.sock')
    const claim = await listenOnUnixSocket(newServer(), file, options)
    if (claim.kind !== 'listening') throw new Error(claim.kind)
    unlinkSync(file)
    writeFileSync(file, 'mine')
    claim.remove()
    expect(readFileSync(file, 'utf8')).toBe('mine')
    unlinkSync(file)
    claim.remove()
  })

  it('needs one listener for the end of the process, however many there are', async () => {
    const folder = tempFolder()
    const claim = async (name: string) =>
      listenOnUnixSocket(newServer(), path.join(folder, name), options)
    await claim('a')
    const before = process.listenerCount('exit')
    await claim('b')
    expect(process.listenerCount('exit')).toBe(before)
  })
})
