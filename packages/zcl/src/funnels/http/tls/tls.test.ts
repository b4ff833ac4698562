import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { expect, it } from 'vitest'
import { createAuthority } from './tls.ts'

it.each(['api.example.com', '127.0.0.1', '::1'])(
  'a certificate of the local CA for %s passes the checks of a TLS client',
  async (host) => {
    const authority = createAuthority(new Date())
    expect(new X509Certificate(authority.certificate).ca).toBe(true)
    const server = createServer((socket) => {
      authority.accept(socket, host).end('hello')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const text = await new Promise<string>((resolve, reject) => {
      const client = connect({
        host: '127.0.0.1',
        port,
        ca: authority.certificate,
        servername: host.includes(':') || /^\d/.test(host) ? '' : host,
        checkServerIdentity: (_name, certificate) => {
          const names = certificate.subjectaltname ?? ''
          const short = host === '::1' ? '0:0:0:0:0:0:0:1' : host
          return names.includes(short) ? undefined : new Error(`only for ${names}`)
        },
      })
      client.on('data', (chunk: Buffer) => resolve(chunk.toString()))
      client.on('error', reject)
    })
    server.close()
    expect(text).toBe('hello')
  },
)

it('a client that does not trust the local CA refuses its certificate', () => {
  const [one, other] = [createAuthority(new Date()), createAuthority(new Date())]
  const certificate = new X509Certificate(one.certificate)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.verify(new X509Certificate(other.certificate).publicKey)).toBe(false)
})
