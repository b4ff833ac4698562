// Which proxy a request goes through, by the variables that other programs obey too.
import { ModelError } from '../errors/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Undefined means a direct connection; loopback is always direct. */
export function proxyFor(target: URL, environment: Environment): URL | undefined {
  const scheme = target.protocol === 'https:' ? 'https' : 'http'
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY']
  const name = names.find((name) => environment[name]?.trim())
  if (name === undefined || isLoopback(target.hostname)) return undefined
  const exceptions = environment.no_proxy ?? environment.NO_PROXY ?? ''
  if (isException(target, exceptions)) return undefined
  return parseProxy(name, environment[name]?.trim() ?? '')
}

/** `Proxy-Authorization` for a proxy URL with credentials. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  const credentials = credentialsOf(proxy)
  if (credentials === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** `user:password` of a URL that has any. */
export function credentialsOf({ username, password }: URL): string | undefined {
  return username === '' && password === ''
    ? undefined
    : `${decodePercent(username)}:${decodePercent(password)}`
}

/** A percent sign that escapes nothing is one that people wrote as it is. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The port of a URL, also when it is the scheme's own. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** The host as sockets want it: IPv6 without brackets. */
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

/** `*`, `host`, `.host` (with everything below it), `host:port`, an IP address. */
function matchesEntry(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  const parts = /^(?:\[([^\]]+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry)
  if (parts === null) return false
  if (parts[3] !== undefined && Number(parts[3]) !== port) return false
  const name = (parts[1] ?? parts[2] ?? '').replace(/^\*?\./, '')
  return name !== '' && (host === name || host.endsWith(`.${name}`))
}

/** The value is not repeated in the message: it may hold a password. */
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
