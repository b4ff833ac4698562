// The local certificate authority of one proxy. Its private key stays in memory; clients trust the
// certificate that the proxy writes into the attempt.
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls'
import type { Socket } from 'node:net'
import { certificatePem, newKey } from './certificate.ts'

export interface LocalAuthority {
  /** The certificate to trust, as PEM. */
  readonly certificate: string
  /** Answers the TLS handshake of a client that asked for `host`. */
  accept(socket: Socket, host: string): TLSSocket
}

const dayMs = 24 * 60 * 60 * 1000
/** Covers clocks that differ. */
const earlierMs = dayMs
const validMs = 30 * dayMs
const authorityName = 'zcl http proxy local CA'

export function createAuthority(now: Date): LocalAuthority {
  const key = newKey()
  const period = {
    notBefore: new Date(now.getTime() - earlierMs),
    notAfter: new Date(now.getTime() + validMs),
  }
  const issuer = authorityName
  const signer = key.privateKey
  const certificate = certificatePem({
    subject: issuer,
    issuer,
    key,
    signer,
    ...period,
    host: undefined,
  })
  const contexts = new Map<string, SecureContext>()
  const contextFor = (host: string): SecureContext => {
    let context = contexts.get(host)
    if (context === undefined) {
      const own = newKey()
      const cert = certificatePem({ subject: host, issuer, key: own, signer, ...period, host })
      context = createSecureContext({
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }),
        cert,
      })
      contexts.set(host, context)
    }
    return context
  }
  return {
    certificate,
    accept: (socket, host) =>
      new TLSSocket(socket, {
        isServer: true,
        secureContext: contextFor(host),
        ALPNProtocols: ['http/1.1'],
      }),
  }
}
