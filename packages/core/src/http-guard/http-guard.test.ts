import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openTokenFile,
  readBody,
  refuseAccess,
  serverLimits,
  setSecurityHeaders,
  writeBounded,
  type AccessRules,
} from './http-guard.ts'

const token = 'a-token-of-some-length'
let server: http.Server | undefined
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

async function listen(handler: http.RequestListener): Promise<number> {
  server = http.createServer(serverLimits, handler)
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Answers 200, or with the refusal. */
const guarded =
  (rules: AccessRules): http.RequestListener =>
  (request, response) => {
    const refusal = refuseAccess(request, rules)
    setSecurityHeaders(response)
    response.writeHead(refusal?.status ?? 200, { ...refusal?.headers })
    response.end(refusal?.code)
  }

async function get(port: number, headers: Record<string, string>) {
  const call = http.request({ host: '127.0.0.1', port, headers })
  call.end()
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, text, headers: response.headers }
}

describe('refuseAccess', () => {
  const authorization = `Bearer ${token}`

  it('accepts the own host names with the own port and refuses every other host', async () => {
    const port = await listen(guarded({ token, hosts: ['My.example', 'proxy.example:8443'] }))
    const statusFor = async (host: string) => (await get(port, { host, authorization })).status
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(await statusFor(host)).toBe(200)
    }
    for (const host of ['my.example', 'MY.example:9', 'proxy.example:8443']) {
      expect(await statusFor(host)).toBe(200)
    }
    const others = ['evil.example', `evil.example:${port}`, 'localhost', `localhost:${port + 1}`]
    for (const host of [...others, 'proxy.example', 'x.my.example', `localhost:${port}.evil`]) {
      expect(await statusFor(host)).toBe(403)
    }
  })

  it('refuses the origin of every other page, and accepts the own origin and programs', async () => {
    const port = await listen(guarded({ token }))
    const reply = (origin: string) =>
      get(port, { host: `localhost:${port}`, origin, authorization })
    expect((await reply(`http://localhost:${port}`)).status).toBe(200)
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost:1',
      'http://localhost',
    ]) {
      expect(await reply(origin)).toMatchObject({ status: 403, text: 'wrong_origin' })
    }
  })

  it('requires the token, and names the scheme when it is missing or wrong', async () => {
    const port = await listen(guarded({ token }))
    const host = `127.0.0.1:${port}`
    expect((await get(port, { host, authorization: `bearer  ${token}` })).status).toBe(200)
    const wrong = ['', 'Bearer', 'Bearer x', `Basic ${token}`, `Bearer ${token}x`, token]
    for (const authorization of wrong) {
      const reply = await get(port, { host, authorization })
      expect(reply).toMatchObject({ status: 401, text: 'unauthorized' })
      expect(reply.headers['www-authenticate']).toBe('Bearer')
    }
    expect((await get(port, { host })).headers['x-frame-options']).toBe('DENY')
  })

  it('needs no token when the server has none, but still the host', async () => {
    const port = await listen(guarded({}))
    expect((await get(port, { host: `127.0.0.1:${port}` })).status).toBe(200)
    expect((await get(port, { host: 'evil.example' })).status).toBe(403)
  })
})

describe('readBody', () => {
  async function send(
    request: http.RequestOptions,
    write: (call: http.ClientRequest) => void,
    timeoutMs?: number,
  ) {
    const port = await listen((incoming, response) => {
      const limits = { maxBytes: 10, timeoutMs }
      void readBody(incoming, limits).then(({ bytes, refusal }) => {
        response.writeHead(refusal?.status ?? 200, { ...refusal?.headers })
        response.end(refusal?.code ?? bytes)
      })
    })
    const call = http.request({ host: '127.0.0.1', port, method: 'POST', ...request })
    call.on('error', () => {})
    write(call)
    const [response] = (await once(call, 'response')) as [http.IncomingMessage]
    let text = ''
    response.on('data', (chunk) => (text += String(chunk)))
    await once(response, 'close')
    call.destroy()
    return { status: response.statusCode, text, connection: response.headers.connection }
  }

  it('returns a body of exactly the limit', async () => {
    const reply = await send({}, (call) => call.end('0123456789'))
    expect(reply).toMatchObject({ status: 200, text: '0123456789' })
  })

  it('refuses an announced length above the limit before the body arrives', async () => {
    const headers = { 'content-length': '1000000000' }
    const reply = await send({ headers }, (call) => call.flushHeaders())
    expect(reply).toEqual({ status: 413, text: 'too_large', connection: 'close' })
  })

  it('refuses a chunked body as soon as it exceeds the limit', async () => {
    const reply = await send({}, (call) => void call.write('01234567890'))
    expect(reply).toEqual({ status: 413, text: 'too_large', connection: 'close' })
  })

  it('refuses a body that does not arrive in time', async () => {
    const reply = await send({}, (call) => void call.write('0'), 20)
    expect(reply).toEqual({ status: 408, text: 'timeout', connection: 'close' })
  })

  it('rejects when the client leaves in the middle of the body', async () => {
    let reading: Promise<unknown> | undefined
    const port = await listen((incoming) => (reading = readBody(incoming, { maxBytes: 10 })))
    const socket = net.connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n01')
    if (server !== undefined) await once(server, 'request')
    socket.destroy()
    await expect(reading).rejects.toThrow()
  })
})

describe('writeBounded', () => {
  it('closes the connection of a client that does not read', async () => {
    const chunk = Buffer.alloc(256 * 1024)
    let writes = 0
    const finished = new Promise<void>((resolve) => {
      void listen(async (_, response) => {
        while (await writeBounded(response, chunk, 50)) writes += 1
        expect(response.destroyed).toBe(true)
        expect(await writeBounded(response, chunk, 50)).toBe(false)
        resolve()
      }).then((port) => {
        const socket = net.connect(port, '127.0.0.1')
        socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
        socket.on('error', () => {})
        socket.pause()
      })
    })
    await finished
    // The kernel buffers some writes; the server keeps at most one.
    expect(writes).toBeLessThan(200)
  })
})

describe('openTokenFile', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'zee-token-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('creates a private file with a random token, and reads the same token afterwards', async () => {
    const file = path.join(folder, 'a/b/token')
    const tokens = await Promise.all([openTokenFile(file), openTokenFile(file)])
    expect(tokens[0]).toMatch(/^[\w-]{43}$/)
    expect(tokens[1]).toBe(tokens[0])
    expect(await openTokenFile(file)).toBe(tokens[0])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  })

  it('refuses a file that other users may read', async () => {
    const file = path.join(folder, 'token')
    writeFileSync(file, token)
    chmodSync(file, 0o640)
    await expect(openTokenFile(file)).rejects.toMatchObject({ code: 'token_file_mode' })
    chmodSync(file, 0o400)
    expect(await openTokenFile(file)).toBe(token)
  })

  it('refuses a file without one usable token, and never shows its content', async () => {
    const file = path.join(folder, 'token')
    for (const content of ['', `two tokens-of-some-length`, 'ü'.repeat(20), 'x'.repeat(5000)]) {
      writeFileSync(file, content, { mode: 0o600 })
      const error: unknown = await openTokenFile(file).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'token_file' })
      if (content !== '') expect(String(error)).not.toContain(content)
    }
  })

  it('refuses folders, and files that cannot be read, by their path', async () => {
    mkdirSync(path.join(folder, 'd'))
    symlinkSync('loop', path.join(folder, 'loop'))
    await expect(openTokenFile(path.join(folder, 'd'))).rejects.toThrow('it is a folder')
    await expect(openTokenFile(path.join(folder, 'loop'))).rejects.toThrow('cannot read')
  })
})
