// Encodes the ASN.1 types of an X.509 certificate as DER.

export type Der = Buffer

export const oid = {
  commonName: [2, 5, 4, 3],
  ecdsaWithSha256: [1, 2, 840, 10045, 4, 3, 2],
  basicConstraints: [2, 5, 29, 19],
  keyUsage: [2, 5, 29, 15],
  extendedKeyUsage: [2, 5, 29, 37],
  subjectAltName: [2, 5, 29, 17],
  serverAuth: [1, 3, 6, 1, 5, 5, 7, 3, 1],
} as const

export function tagged(tag: number, ...content: Der[]): Der {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

export const sequence = (...content: Der[]): Der => tagged(0x30, ...content)
export const set = (...content: Der[]): Der => tagged(0x31, ...content)
export const boolean = (value: boolean): Der => tagged(0x01, Buffer.from([value ? 0xff : 0]))
export const octets = (content: Der): Der => tagged(0x04, content)
export const utf8 = (text: string): Der => tagged(0x0c, Buffer.from(text))

/** A bit string; `unused` bits of the last byte do not count. */
export function bits(content: Der, unused = 0): Der {
  return tagged(0x03, Buffer.from([unused]), content)
}

/** A positive integer. */
export function integer(bytes: Der): Der {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return tagged(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

export function objectId([first = 0, second = 0, ...rest]: readonly number[]): Der {
  const bytes = [first * 40 + second, ...rest.flatMap(base128)]
  return tagged(0x06, Buffer.from(bytes))
}

/** UTCTime until 2049, GeneralizedTime from 2050 on. */
export function time(date: Date): Der {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  const isShort = date.getUTCFullYear() < 2050
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits))
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

function base128(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 | (rest % 128))
  }
  return bytes
}
