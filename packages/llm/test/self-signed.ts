// Creates a self-signed certificate for a host name, so that the repository holds no private key.
import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  cert: string
  key: string
}

export function selfSigned(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(host)))))
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2))
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName(host), authority())),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...items: Uint8Array[]): Buffer => der(0x30, ...items)
const set = (...items: Uint8Array[]): Buffer => der(0x31, ...items)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 0x7f]
    for (let more = part >> 7; more > 0; more >>= 7) groups.unshift((more & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}

function time(years: number): Buffer {
  const date = new Date()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

function alternativeName(host: string): Buffer {
  return sequence(oid(2, 5, 29, 17), der(0x04, sequence(der(0x82, Buffer.from(host)))))
}

function authority(): Buffer {
  return sequence(oid(2, 5, 29, 19), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
}
