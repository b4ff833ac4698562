// Chooses the proxy of a request from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
import { ModelError } from '../errors/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The proxy for `target`; undefined for a direct connection. Loopback is always direct. */
export function proxyFor(target: URL, environment: Environment): URL | undefined {
  const scheme = target.protocol === 'https:' ? 'https' : 'http'
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY']
  const name = names.find((name) => environment[name]?.trim())
  if (name === undefined || isLoopback(target.hostname)) return undefined
  const exceptions = environment.no_proxy ?? environment.NO_PROXY ?? ''
  if (isException(target, exceptions)) return undefined
  return parseProxy(name, environment[name]?.trim() ?? '')
}

/** The `Proxy-Authorization` header, if the proxy URL has credentials. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  const credentials = credentialsOf(proxy)
  if (credentials === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** `user:password` of a URL, decoded; undefined if it has none. */
export function credentialsOf({ username, password }: URL): string | undefined {
  return username === '' && password === ''
    ? undefined
    : `${decodePercent(username)}:${decodePercent(password)}`
}

/** Returns the text unchanged if it is not valid percent-encoding: a password may contain `%`. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The port of a URL, or the default port of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** The host for a socket: IPv6 without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
}

function isException(target: URL, list: string): boolean {
  const host = hostOf(target).toLowerCase()
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matchesEntry(entry, host, portOf(target)))
}

/** An entry is `*`, a host, `.host`, `host:port` or an IP address; a host includes subdomains. */
function matchesEntry(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  const parts = /^(?:\[([^\]]+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry)
  if (parts === null) return false
  if (parts[3] !== undefined && Number(parts[3]) !== port) return false
  const name = (parts[1] ?? parts[2] ?? '').replace(/^\*?\./, '')
  return name !== '' && (host === name || host.endsWith(`.${name}`))
}

/** The error message omits the value, which may hold a password. */
function parseProxy(variable: string, value: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  let url: URL | undefined
  try {
    url = new URL(text)
  } catch {
    url = undefined
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new ModelError(
    'internal',
    `${variable} is not the URL of an HTTP proxy (http://host:port)`,
    {
      code: 'proxy',
    },
  )
}
