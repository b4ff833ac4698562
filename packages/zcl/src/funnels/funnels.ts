// Parses and formats the two addresses of a proxy: where it listens, and its upstream.
import type { AddressInfo } from 'node:net'
import { usageError } from '@zee/core/errors'
import { withoutCredentials } from '../url/url.ts'

export { parseInject } from './faults.ts'

export interface ListenAddress {
  host: string
  port: number
}

/** The server that the proxy forwards to. */
export interface Upstream {
  isSecure: boolean
  hostname: string
  port: number
  /** Value of the `Host` header. */
  host: string
  /** `user:password` of the URL. */
  auth: string | undefined
  /** Without trailing slashes; empty for the root. */
  basePath: string
  /** Without the question mark. */
  query: string
  /** For display and for the trace; without credentials. */
  origin: string
}

const loopback = '127.0.0.1'

/** Parses `127.0.0.1:0`, `[::1]:8080` or `localhost:80`; a port alone means the loopback address. */
export function parseListen(text: string): ListenAddress {
  const found = /^(?:(\[[^\]]+\]|[^:[\]]*):)?(\d{1,5})$/.exec(text)
  const port = Number(found?.[2])
  if (found === null || port > 65_535) {
    throw usageError(`'${text}' is not an address like 127.0.0.1:0`)
  }
  const host = (found[1] ?? '').replace(/^\[|\]$/g, '')
  return { host: host === '' ? loopback : host, port }
}

export function parseUpstream(text: string): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw usageError(`'${withoutCredentials(text).slice(0, 200)}' is not an http or https URL`)
  }
  const isSecure = url.protocol === 'https:'
  const credentials = [url.username, url.password].map(decoded)
  return {
    isSecure,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    host: url.host,
    auth: url.username === '' && url.password === '' ? undefined : credentials.join(':'),
    basePath: url.pathname.replace(/\/+$/, ''),
    query: url.search.slice(1),
    origin: url.origin,
  }
}

/** The upstream's path for a request target, which is appended unchanged. */
export function upstreamPath({ basePath, query }: Upstream, requestTarget: string): string {
  // Clients that use the proxy as a forward proxy send an absolute URL.
  const target = /^https?:\/\/[^/?#]*(.*)$/i.exec(requestTarget)?.[1] ?? requestTarget
  if (target === '*' && basePath === '') return target
  const path = basePath + (target.startsWith('/') ? target : `/${target}`)
  if (query === '') return path
  const at = path.indexOf('?')
  if (at === -1) return `${path}?${query}`
  return `${path.slice(0, at)}?${query}&${path.slice(at + 1)}`
}

export function listenText({ address, port }: AddressInfo): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** The URL at which a local client reaches the proxy. */
export function proxyUrl({ address, port }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://${loopback}:${port}`
  if (address === '::') return `http://[::1]:${port}`
  return `http://${listenText({ address, port, family: '' })}`
}

/** Percent-decodes `part`; returns it unchanged when the encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
