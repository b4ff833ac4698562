import { describe, expect, it } from 'vitest'
import { credentialsOf, portOf, proxyFor } from './proxy.ts'

const choose = (url: string, environment: Record<string, string>): string | undefined =>
  proxyFor(new URL(url), environment)?.href

const proxy = 'http://proxy.test:3128/'

describe('the proxy of a request', () => {
  it('comes from the variable of its scheme, in lower or upper case, or from all_proxy', () => {
    expect(choose('https://a.test', { HTTPS_PROXY: proxy })).toBe(proxy)
    expect(choose('https://a.test', { https_proxy: proxy, HTTPS_PROXY: 'http://other' })).toBe(
      proxy,
    )
    expect(choose('http://a.test', { HTTPS_PROXY: proxy })).toBeUndefined()
    expect(choose('http://a.test', { HTTP_PROXY: proxy })).toBe(proxy)
    expect(choose('http://a.test', { ALL_PROXY: proxy })).toBe(proxy)
    expect(choose('http://a.test', { all_proxy: proxy, ALL_PROXY: 'http://other' })).toBe(proxy)
    expect(choose('http://a.test', { HTTP_PROXY: '  ' })).toBeUndefined()
  })

  it('may be reached over TLS, and must be reached over HTTP or TLS', () => {
    const secure = 'https://proxy.test:3129/'
    expect(choose('http://a.test', { HTTP_PROXY: secure })).toBe(secure)
    expect(() => choose('http://a.test', { HTTP_PROXY: 'socks://proxy.test' })).toThrow()
  })

  it('may be configured without a scheme', () => {
    expect(choose('http://a.test', { HTTP_PROXY: 'proxy.test:3128' })).toBe(proxy)
  })

  it.each(['localhost', 'api.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])(
    'is never used for %s',
    (host) => {
      expect(choose(`http://${host}:8080`, { HTTP_PROXY: proxy })).toBeUndefined()
    },
  )

  it.each([
    ['*', true],
    ['a.test', true],
    ['test', true],
    ['.a.test', true],
    ['*.test', true],
    ['x, b.test a.test', true],
    ['A.TEST', true],
    ['a.test:8443', true],
    ['a.test:443', false],
    ['b.test', false],
    ['la.test', false],
    ['a.test:http', false],
    ['a.test:8443:', false],
    ['[a.test', false],
    ['', false],
  ])('is bypassed by NO_PROXY=%s for https://a.test:8443: %s', (list, excepted) => {
    const chosen = choose('https://a.test:8443', { HTTPS_PROXY: proxy, NO_PROXY: list })
    expect(chosen).toBe(excepted ? undefined : proxy)
  })

  it('is bypassed by IP addresses in no_proxy', () => {
    const environment = { HTTP_PROXY: proxy, no_proxy: '10.0.0.1,[fe80::1]:80' }
    expect(choose('http://10.0.0.1', environment)).toBeUndefined()
    expect(choose('http://10.0.0.2', environment)).toBe(proxy)
    expect(choose('http://[fe80::1]', environment)).toBeUndefined()
    expect(choose('http://[fe80::1]:81', environment)).toBe(proxy)
  })

  it('is rejected with the name of its variable, and without its value, if it is not an HTTP proxy', () => {
    expect(() => choose('http://a.test', { HTTP_PROXY: 'socks5://me:secret@p' })).toThrow(
      /^HTTP_PROXY is not the URL of an HTTP proxy \(http:\/\/host:port\)$/,
    )
  })
})

it.each([
  ['http://a.test', 80],
  ['https://a.test', 443],
  ['https://a.test:8443', 8443],
])('the port of %s is %i', (url, port) => {
  expect(portOf(new URL(url))).toBe(port)
})

it.each([
  ['http://a.test', undefined],
  ['http://u@a.test', 'u:'],
  ['http://:p@a.test', ':p'],
  ['http://u%40x:p@a.test', 'u@x:p'],
])('the credentials of %s are %s', (url, credentials) => {
  expect(credentialsOf(new URL(url))).toBe(credentials)
})
