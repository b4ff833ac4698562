// Parses and formats the two addresses of a proxy: where it listens, and its upstream.
import type { AddressInfo } from 'node:net'
import { usageError } from '@zee/core/errors'
import { withoutCredentials } from '../url/url.ts'

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

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is

/** Whether a request in absolute form is for another host than the upstream or this proxy. */
export function isMisdirected(
  upstream: Upstream,
  requestTarget: string,
  ownPort: number | undefined,
): boolean {
  const authority = absoluteForm.exec(requestTarget)?.[1]
  if (authority === undefined) return false
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined
  if (url === undefined) return true
  const name = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = /:(\d+)$/.exec(authority)?.[1]
  const isUpstream = name === upstream.hostname.toLowerCase()
  if (isUpstream && (port === undefined || Number(port) === upstream.port)) return false
  return !(/^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/.test(name) && Number(port) === ownPort)
}

/**
 * The upstream's path for a request target, which is appended unchanged. A client that addresses the
 * upstream itself, as a forward proxy's clients do, sends a path that may contain the base path.
 */
export function upstreamPath(
  { basePath, query }: Upstream,
  requestTarget: string,
  isDirect = false,
): string {
  const absolute = absoluteForm.exec(requestTarget)
  const target = absolute?.[2] ?? requestTarget
  if (target === '*' && basePath === '') return target
  const ownPath = target.startsWith('/') ? target : `/${target}`
  const hasBase = ownPath === basePath || ownPath.startsWith(`${basePath}/`)
  const isComplete = isDirect || (absolute !== null && basePath !== '' && hasBase)
  const path = isComplete ? ownPath : basePath + ownPath
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
