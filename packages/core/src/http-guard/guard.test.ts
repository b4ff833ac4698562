// Refusals, headers and bodies as values, without a network.
import { EventEmitter } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import {
  assertPrivateFile,
  bearerOf,
  isSameToken,
  openTokenFile,
  readBody,
  refuseAccess,
  refuseHost,
  refuseOrigin,
  serverLimits,
  setSecurityHeaders,
  writeBounded,
} from './http-guard.ts'

type Headers = Record<string, string>

function request(headers: Headers, more: object = {}): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat()
  const socket = { localPort: 80, localAddress: '10.0.0.1' }
  return { headers, rawHeaders, socket, ...more } as unknown as IncomingMessage
}

const wrongHost = {
  status: 403,
  code: 'wrong_host',
  message: 'this server does not serve that host name',
}

describe('the host', () => {
  it.each<[string, number, string | undefined, boolean]>([
    ['localhost', 80, undefined, true],
    ['localhost:80', 80, undefined, true],
    ['LOCALHOST:8080', 8080, undefined, true],
    ['localhost', 8080, undefined, false],
    ['localhost:8081', 8080, undefined, false],
    ['127.0.0.1', 80, undefined, true],
    ['[::1]:81', 81, undefined, true],
    ['10.0.0.1:81', 81, '10.0.0.1', true],
    ['10.0.0.1:81', 81, '::ffff:10.0.0.1', true],
    ['10.0.0.2:81', 81, '10.0.0.1', false],
    ['[fe80::1]:81', 81, 'fe80::1', true],
    ['fe80::1:81', 81, 'fe80::1', false],
    ['[::ffff:a]:81', 81, '::ffff:a', true],
    [':81', 81, undefined, true],
    ['', 80, undefined, true],
    ['', 81, undefined, false],
    ['evil.example', 80, undefined, false],
  ])(
    '%j at port %i with the address %j is accepted: %s',
    (host, localPort, localAddress, accepted) => {
      const refused = refuseHost(request({ host }, { socket: { localPort, localAddress } }))
      expect(refused).toEqual(accepted ? undefined : wrongHost)
    },
  )

  it.each([
    [['a.example'], 'a.example', true],
    [['A.example'], 'a.EXAMPLE:9', true],
    [['a.example:9'], 'a.example:9', true],
    [['a.example:9'], 'a.example', false],
    [['a.example:9'], 'a.example:8', false],
    [['b', 'a.example'], 'a.example', true],
    [['a.example'], 'xa.example', false],
    [['a.example'], 'a.example:x', false],
    [[], 'a.example', false],
  ])('of the list %j accepts %j: %s', (hosts, host, accepted) => {
    expect(refuseHost(request({ host }), hosts)).toEqual(accepted ? undefined : wrongHost)
  })

  it('is missing or given twice', () => {
    expect(refuseHost(request({}, { socket: { localPort: 81 } }))).toEqual(wrongHost)
    const headers = { host: 'localhost' }
    const twice = (rawHeaders: string[]) => refuseHost(request(headers, { rawHeaders }))
    expect(twice(['Host', 'localhost', 'hOST', 'x'])).toEqual(wrongHost)
    expect(twice(['Host', 'localhost', 'x', 'host'])).toBeUndefined()
    expect(twice(['Host', 'host'])).toBeUndefined()
  })
})

describe('the origin', () => {
  it.each<[Headers, boolean]>([
    [{ host: 'a:1' }, true],
    [{ host: 'a:1', origin: 'http://a:1' }, true],
    [{ host: 'A:1', origin: 'HTTPS://a:1' }, true],
    [{ host: 'a:1', origin: 'http://a:2' }, false],
    [{ host: 'a:1', origin: 'ftp://a:1' }, false],
    [{ host: 'a:1', origin: 'null' }, false],
    [{ origin: 'http://' }, true],
    [{ origin: 'http://a' }, false],
  ])('of %j is accepted: %s', (headers, accepted) => {
    expect(refuseOrigin(request(headers))).toEqual(
      accepted
        ? undefined
        : { status: 403, code: 'wrong_origin', message: 'requests from other origins are refused' },
    )
  })
})

describe('the token', () => {
  const refusal = {
    status: 401,
    code: 'unauthorized',
    message: 'send the token as the header "Authorization: Bearer TOKEN"',
    headers: { 'www-authenticate': 'Bearer' },
  }
  const withToken = (authorization: string) => request({ host: 'localhost', authorization })

  it('is compared with a text or by a test', () => {
    expect(refuseAccess(withToken('Bearer t'), { token: 't' })).toBeUndefined()
    expect(refuseAccess(withToken('Bearer u'), { token: 't' })).toEqual(refusal)
    expect(refuseAccess(withToken(''), { token: 't' })).toEqual(refusal)
    const token = (candidate: string) => candidate === 'x'
    expect(refuseAccess(withToken('Bearer x'), { token })).toBeUndefined()
    expect(refuseAccess(withToken('Bearer y'), { token })).toEqual(refusal)
    expect(refuseAccess(withToken('Bearer y'), {})).toBeUndefined()
  })

  it('is checked after the host and the origin', () => {
    const headers = { host: 'evil', origin: 'http://other' }
    expect(refuseAccess(request(headers), { token: 't' })).toMatchObject({ code: 'wrong_host' })
    expect(refuseAccess(request({ ...headers, host: 'localhost' }), { token: 't' })).toMatchObject({
      code: 'wrong_origin',
    })
  })

  it.each([
    ['Bearer a', 'a'],
    ['bEARER   a-b  ', 'a-b'],
    ['Bearer', ''],
    ['Bearer a b', ''],
    ['xBearer a', ''],
    ['Basic a', ''],
  ])('of %j is %j', (authorization, expected) => {
    expect(bearerOf(request({ authorization }))).toBe(expected)
    expect(bearerOf(request({}))).toBe('')
  })

  it.each([
    ['', '', true],
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'ab', false],
  ])('%j and %j are the same: %s', (one, other, expected) => {
    expect(isSameToken(one, other)).toBe(expected)
  })
})

describe('the file of the token', () => {
  it('has one line of 43 characters', async () => {
    const file = path.join(tempFolder(), 'token')
    const token = await openTokenFile(file)
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('holds up to 4096 visible ASCII characters', async () => {
    const file = path.join(tempFolder(), 'token')
    const message = `${file} must hold one token: ASCII characters without spaces`
    for (const text of ['!', '~', 'x'.repeat(4096), ' \nx\t\n']) {
      writeFileSync(file, text, { mode: 0o600 })
      expect(await openTokenFile(file)).toBe(text.trim())
    }
    for (const text of ['', 'x'.repeat(4097), 'a b', '\u007f', 'é', 'a\u0000']) {
      writeFileSync(file, text)
      await expect(openTokenFile(file)).rejects.toMatchObject({ code: 'token_file', message })
    }
  })

  it('is private', async () => {
    const file = path.join(tempFolder(), 'token')
    writeFileSync(file, 'x')
    const message = `other users may read the token in ${file}: run \`chmod 600 ${file}\``
    for (const mode of [0o640, 0o620, 0o610, 0o604, 0o602, 0o601]) {
      chmodSync(file, mode)
      const refused = { code: 'token_file_mode', message }
      await expect(openTokenFile(file)).rejects.toMatchObject(refused)
      await expect(assertPrivateFile(file)).rejects.toMatchObject(refused)
    }
    chmodSync(file, 0o700)
    expect(await openTokenFile(file)).toBe('x')
    await assertPrivateFile(file)
  })

  it('that cannot be read or created is named', async () => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'f'), '')
    mkdirSync(path.join(folder, 'd'))
    const refusal = async (name: string) => {
      const error: unknown = await openTokenFile(path.join(folder, name)).catch((e: unknown) => e)
      return (error as Error).message.replaceAll(folder, 'F')
    }
    expect(await refusal('d')).toBe('cannot read F/d: it is a folder')
    expect(await refusal('f/x')).toBe('cannot read F/f/x: a part of the path is not a folder')
    await expect(assertPrivateFile(path.join(folder, 'none'))).rejects.toMatchObject({
      code: 'enoent',
      message: `cannot read ${folder}/none: no such file or folder`,
    })
    await expect(assertPrivateFile(path.join(folder, 'd'))).rejects.toMatchObject({
      message: `cannot read ${folder}/d: it is a folder`,
    })
  })
})

it('a response has the security headers', () => {
  const headers: Headers = {}
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
  } as unknown as ServerResponse
  const common = {
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  setSecurityHeaders(response)
  expect(headers).toEqual({ ...common, 'content-security-policy': "default-src 'none'" })
  setSecurityHeaders(response, "default-src 'self'")
  expect(headers).toEqual({ ...common, 'content-security-policy': "default-src 'self'" })
})

it('a server limits headers, requests and idle connections', () => {
  expect(serverLimits).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16_384,
  })
})

describe('a body', () => {
  const tooLarge = {
    refusal: {
      status: 413,
      code: 'too_large',
      message: 'the request is larger than 10 bytes',
      headers: { connection: 'close' },
    },
  }
  const reading = (headers: Headers, timeoutMs?: number) => {
    const stream = Object.assign(new PassThrough(), { headers })
    const limits = timeoutMs === undefined ? { maxBytes: 10 } : { maxBytes: 10, timeoutMs }
    return { stream, body: readBody(stream as unknown as IncomingMessage, limits) }
  }

  it.each([
    ['10', false],
    ['11', true],
  ])('of the announced length %s is refused: %s', async (length, isRefused) => {
    const { stream, body } = reading({ 'content-length': length })
    if (!isRefused) stream.end('0123456789')
    expect(await body).toEqual(isRefused ? tooLarge : { bytes: Buffer.from('0123456789') })
  })

  it('of several pieces is joined, and refused above the limit', async () => {
    const whole = reading({})
    for (const piece of ['01234', '56789']) whole.stream.write(piece)
    whole.stream.end()
    expect(await whole.body).toEqual({ bytes: Buffer.from('0123456789') })
    const long = reading({})
    for (const piece of ['01234', '567890', 'x']) long.stream.write(piece)
    expect(await long.body).toEqual(tooLarge)
    expect(long.stream.listenerCount('data')).toBe(0)
    expect(long.stream.isPaused()).toBe(true)
  })

  it('that does not arrive in time is refused', async () => {
    const { body } = reading({}, 1)
    expect(await body).toEqual({
      refusal: {
        status: 408,
        code: 'timeout',
        message: 'the request did not arrive in time',
        headers: { connection: 'close' },
      },
    })
  })

  it('of a client that leaves or fails rejects', async () => {
    const left = reading({})
    left.stream.destroy()
    await expect(left.body).rejects.toThrow(new Error('the client left'))
    const failed = reading({})
    failed.stream.destroy(new Error('reset'))
    await expect(failed.body).rejects.toThrow(new Error('reset'))
  })
})

describe('a bounded write', () => {
  class Response extends EventEmitter {
    destroyed = false
    writableEnded = false
    takes = false
    readonly written: unknown[] = []
    write(chunk: unknown): boolean {
      this.written.push(chunk)
      return this.takes
    }
    destroy(): void {
      this.destroyed = true
    }
  }
  const write = (response: Response, timeoutMs = 60_000) =>
    writeBounded(response as unknown as ServerResponse, 'x', timeoutMs)

  it('returns at once while the client reads', async () => {
    const response = Object.assign(new Response(), { takes: true })
    expect(await write(response)).toBe(true)
    expect(response.written).toEqual(['x'])
  })

  it.each(['destroyed', 'writableEnded'] as const)(
    'writes nothing to a response that is %s',
    async (state) => {
      const response = Object.assign(new Response(), { takes: true, [state]: true })
      expect(await write(response)).toBe(false)
      expect(response.written).toEqual([])
    },
  )

  it.each([
    ['drain', true, false],
    ['close', false, true],
  ])('after %s is %s, and the response is destroyed: %s', async (event, expected, destroyed) => {
    const response = new Response()
    const waiting = write(response)
    response.emit(event)
    expect(await waiting).toBe(expected)
    expect(response.destroyed).toBe(destroyed)
    expect(response.eventNames()).toEqual([])
  })

  it('closes the connection of a client that takes nothing in time', async () => {
    const response = new Response()
    expect(await write(response, 1)).toBe(false)
    expect(response.destroyed).toBe(true)
    expect(response.eventNames()).toEqual([])
  })
})
