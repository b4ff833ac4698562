// Rewrites the headers that a proxy must change: hop-by-hop headers and `Host`.

/** Flat list of names and values, in their original order and case. */
export type RawHeaders = readonly string[]

/** The parts of the upstream's URL and of the request that determine the headers. */
export interface Target {
  method: string
  host: string
  auth: string | undefined
}

const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Methods whose requests need no `Content-Length: 0` without a body. */
const methodsWithoutBody: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'TRACE',
])

export function hasHeader(headers: RawHeaders, name: string): boolean {
  return headerValues(headers, name).length > 0
}

/** The headers that the upstream receives. */
export function requestHeaders(
  headers: RawHeaders,
  target: Target,
  droppedHeaders: ReadonlySet<string> = new Set(),
): string[] {
  const kept = endToEnd(headers, (name) => name === 'host' || droppedHeaders.has(name))
  const own = ['Host', target.host, ...authorization(headers, target)]
  if (headerValues(headers, 'te').some((value) => /\btrailers\b/i.test(value)))
    own.push('TE', 'trailers')
  if (hasHeader(headers, 'transfer-encoding')) own.push('Transfer-Encoding', 'chunked')
  else if (!hasHeader(headers, 'content-length') && !methodsWithoutBody.has(target.method)) {
    own.push('Content-Length', '0')
  }
  return [...own, ...kept]
}

/** The headers that the client receives. */
export function responseHeaders(headers: RawHeaders): string[] {
  // Trailers need chunked encoding, which Content-Length excludes.
  const hasLength = hasHeader(headers, 'content-length')
  return endToEnd(headers, (name) => name === 'trailer' && hasLength)
}

/** The headers of an upgrade request: hop-by-hop headers pass, because they negotiate the upgrade. */
export function upgradeHeaders(
  headers: RawHeaders,
  target: Target,
  droppedHeaders: ReadonlySet<string> = new Set(),
): string[] {
  const kept = ['Host', target.host, ...authorization(headers, target)]
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const lower = name.toLowerCase()
    if (lower !== 'host' && !droppedHeaders.has(lower)) kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

/** The credentials of the upstream's URL, unless the client has its own. */
function authorization(headers: RawHeaders, { auth }: Target): string[] {
  if (auth === undefined || hasHeader(headers, 'authorization')) return []
  return ['Authorization', `Basic ${Buffer.from(auth).toString('base64')}`]
}

function endToEnd(headers: RawHeaders, isDropped: (name: string) => boolean): string[] {
  const named = namedByConnection(headers)
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const lower = name.toLowerCase()
    if (hopByHop.has(lower) || isDropped(lower) || named?.has(lower) === true) continue
    kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

/** Headers that `Connection` declares hop-by-hop; undefined when there are none. */
function namedByConnection(headers: RawHeaders): Set<string> | undefined {
  const tokens = headerValues(headers, 'connection').flatMap((value) =>
    value.toLowerCase().split(','),
  )
  const names = tokens.map((token) => token.trim()).filter((token) => !plainTokens.has(token))
  return names.length === 0 ? undefined : new Set(names)
}

/** `Connection: content-length` is ignored: dropping the length would turn the body into the next request. */
const plainTokens: ReadonlySet<string> = new Set([
  ...['', 'keep-alive', 'close', 'upgrade', 'content-length'],
])

/** All values of a header; `wanted` is lower case. */
export function headerValues(headers: RawHeaders, wanted: string): string[] {
  const found: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name.length === wanted.length && name.toLowerCase() === wanted) {
      found.push(headers[at + 1] ?? '')
    }
  }
  return found
}
