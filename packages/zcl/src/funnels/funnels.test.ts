import { describe, expect, it } from 'vitest'
import { listenText, parseListen, parseUpstream, proxyUrl, upstreamPath } from './funnels.ts'

const at = (address: string) => ({ address, port: 80, family: '' })

describe('the listen address of a proxy', () => {
  it.each([
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['localhost:8080', 'localhost', 8080],
    ['[::1]:65535', '::1', 65_535],
    ['0.0.0.0:1', '0.0.0.0', 1],
    [':81', '127.0.0.1', 81],
    ['82', '127.0.0.1', 82],
  ])('is parsed from %s', (text, host, port) => {
    expect(parseListen(text)).toEqual({ host, port })
  })

  it.each(['', 'x', '127.0.0.1', '::1:80', '1.2.3.4:65536', '1.2.3.4:-1', 'a b:c'])(
    'is refused when it is %j',
    (text) => {
      expect(() => parseListen(text)).toThrow(/is not an address/)
    },
  )

  it('is printed so that a local client can use it', () => {
    expect(listenText(at('::1'))).toBe('[::1]:80')
    expect(proxyUrl(at('0.0.0.0'))).toBe('http://127.0.0.1:80')
    expect(proxyUrl(at('::'))).toBe('http://[::1]:80')
    expect(proxyUrl(at('127.0.0.1'))).toBe('http://127.0.0.1:80')
  })
})

describe('the upstream of a proxy', () => {
  it('is parsed from a URL, with credentials separate', () => {
    expect(parseUpstream('https://me:p%40ss@[::1]/base//?k=v')).toEqual({
      isSecure: true,
      hostname: '::1',
      port: 443,
      host: '[::1]',
      auth: 'me:p@ss',
      basePath: '/base',
      query: 'k=v',
      origin: 'https://[::1]',
    })
    expect(() => parseUpstream('ftp://me:sec@ret@h/')).toThrow("'ftp://h/' is not an http")
    expect(parseUpstream('http://me:100%@h').auth).toBe('me:100%')
  })

  it.each([
    ['http://h', '/a?b', '/a?b'],
    ['http://h/', '/', '/'],
    ['http://h/v1/', '//x/../%2e?a=%zz', '/v1//x/../%2e?a=%zz'],
    ['http://h/v1?k=1', '/x', '/v1/x?k=1'],
    ['http://h/v1?k=1', '/x?y=2', '/v1/x?k=1&y=2'],
    ['http://h/v1', 'http://other/x?y', '/v1/x?y'],
    ['http://h/v1', 'http://other', '/v1/'],
    ['http://h', '*', '*'],
  ])('%s receives the request target %s', (url, asked, path) => {
    expect(upstreamPath(parseUpstream(url), asked)).toBe(path)
  })
})
