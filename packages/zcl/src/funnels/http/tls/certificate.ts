// Makes X.509 certificates with ECDSA P-256 keys; Node has no function for that.
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, boolean, integer, objectId, octets, oid, sequence, set, tagged } from './der.ts'
import { time, utf8, type Der } from './der.ts'

export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

export interface CertificateRequest {
  subject: string
  issuer: string
  key: KeyPair
  /** The key of the issuer. */
  signer: KeyObject
  notBefore: Date
  notAfter: Date
  /** A host name or address; undefined for an authority. */
  host: string | undefined
}

export function newKey(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

/** The certificate as PEM. */
export function certificatePem(request: CertificateRequest): string {
  const { key, signer, subject, issuer } = request
  const algorithm = sequence(objectId(oid.ecdsaWithSha256))
  // The first bit stays 0: a serial number is positive.
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const signed = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    nameOf(issuer),
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(subject),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(request.host))),
  )
  const signature = sign('sha256', signed, signer)
  const der = sequence(signed, algorithm, bits(signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function nameOf(text: string): Der {
  return sequence(set(sequence(objectId(oid.commonName), utf8(text))))
}

function extensions(host: string | undefined): Der[] {
  if (host === undefined) {
    return [
      extension(oid.basicConstraints, sequence(boolean(true), integer(Buffer.from([0])))),
      // keyCertSign and cRLSign.
      extension(oid.keyUsage, bits(Buffer.from([0x06]), 1)),
    ]
  }
  return [
    extension(oid.basicConstraints, sequence()),
    // digitalSignature.
    extension(oid.keyUsage, bits(Buffer.from([0x80]), 7)),
    extension(oid.extendedKeyUsage, sequence(objectId(oid.serverAuth)), false),
    extension(oid.subjectAltName, sequence(alternativeName(host)), false),
  ]
}

function extension(id: readonly number[], value: Der, isCritical = true): Der {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octets(value))
}

function alternativeName(host: string): Der {
  return isIP(host) === 0
    ? tagged(0x82, Buffer.from(host))
    : tagged(0x87, Buffer.from(addressBytes(host)))
}

function addressBytes(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number)
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
