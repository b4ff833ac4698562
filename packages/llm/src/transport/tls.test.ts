// TLS in this process: certificates are not checked here, because Node reads additional trusted ones only at
// its start.
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../../test/self-signed.ts'
import { post, readBody, rejectionOf, withTransports } from '../../test/transports.ts'

const { keep, transport } = withTransports()
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED

beforeAll(() => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
})
afterAll(() => {
  if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
})

async function listening<Listener extends Server>(server: Listener): Promise<Listener> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** A TLS server that answers `yes`, or nothing, and records the names that clients ask for. */
async function startTlsServer({ isSilent = false } = {}) {
  const names: unknown[] = []
  const server = https.createServer(selfSigned('api.zee.test'), (request, response) => {
    request.resume()
    names.push((request.socket as TLSSocket).servername)
    if (!isSilent) response.end('yes')
  })
  await listening(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  keep({ close })
  return { names, port: portOf(server), server }
}

/** A proxy that leads every tunnel to one port. */
async function startProxy(port: number, { isSecure = false } = {}): Promise<string> {
  const server = isSecure ? https.createServer(selfSigned('proxy.zee.test')) : http.createServer()
  server.on('connect', (_request, socket: net.Socket) => {
    const upstream = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const each of [upstream, socket]) {
      each.on('error', () => {})
      each.on('close', () => [upstream, socket].forEach((end) => end.destroy()))
    }
  })
  await listening(server)
  keep({ close: () => void server.close() })
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${portOf(server)}`
}

describe('TLS', () => {
  it('counts the deadline of the answer from the end of the handshake', async () => {
    const { port } = await startTlsServer({ isSilent: true })
    const { send } = transport({ connectMs: 10_000, firstByteMs: 60 })
    expect(await rejectionOf(send(post(`https://127.0.0.1:${port}/`)))).toMatchObject({
      message: `Connection failed: no answer from 127.0.0.1:${port} within 60 ms`,
      mayBeCharged: true,
    })
  })

  it('does not count as charged without a connection', async () => {
    const silent = await listening(net.createServer(() => {}))
    keep({ close: () => void silent.close() })
    const { send } = transport({ connectMs: 60, firstByteMs: 10_000 })
    expect(await rejectionOf(send(post(`https://127.0.0.1:${portOf(silent)}/`)))).toMatchObject({
      message: `Connection failed: no connection to 127.0.0.1:${portOf(silent)} within 60 ms`,
      mayBeCharged: false,
    })
  })

  it('through a proxy names the host to the server, and no address', async () => {
    const { port, names } = await startTlsServer()
    const { send } = transport({}, { https_proxy: await startProxy(port) })
    for (const host of ['api.zee.test', '192.0.2.1', '[2001:db8::1]']) {
      const response = await send(post(`https://${host}/`))
      expect(await readBody(response)).toBe('yes')
    }
    expect(names).toEqual(['api.zee.test', false, false])
  })

  it('reaches the host through a proxy that is itself reached over TLS', async () => {
    const { port, names } = await startTlsServer()
    const proxy = await startProxy(port, { isSecure: true })
    const { send } = transport({}, { https_proxy: proxy })
    expect(await readBody(await send(post('https://api.zee.test/')))).toBe('yes')
    expect(names).toEqual(['api.zee.test'])
  })

  it('through a proxy uses a tunnel for the next request to the same host again', async () => {
    const { port, server } = await startTlsServer()
    let connections = 0
    server.on('secureConnection', () => connections++)
    const { send } = transport({}, { https_proxy: await startProxy(port) })
    for (let n = 0; n < 3; n++) await readBody(await send(post('https://api.zee.test/')))
    expect(connections).toBe(1)
  })
})
