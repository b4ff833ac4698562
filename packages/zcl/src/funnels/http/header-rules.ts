// Which headers a proxy may touch: those that concern one connection only, and `Host`.

/** Flat list of names and values, in the order and case in which they came. */
export type RawHeaders = readonly string[]

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

/** Methods that Node sends without a body unless told otherwise. */
const usuallyWithoutBody: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'TRACE',
])

export function hasHeader(headers: RawHeaders, name: string): boolean {
  return values(headers, name).length > 0
}

/** The request's headers for the upstream. */
export function requestHeaders(
  headers: RawHeaders,
  target: { method: string; host: string; auth: string | undefined },
  withheld: ReadonlySet<string> = new Set(),
): string[] {
  const kept = endToEnd(headers, (name) => name === 'host' || withheld.has(name))
  const own = ['Host', target.host]
  if (target.auth !== undefined && !hasHeader(headers, 'authorization')) {
    own.push('Authorization', `Basic ${Buffer.from(target.auth).toString('base64')}`)
  }
  if (values(headers, 'te').some((value) => /\btrailers\b/i.test(value))) own.push('TE', 'trailers')
  if (hasHeader(headers, 'transfer-encoding')) own.push('Transfer-Encoding', 'chunked')
  else if (!hasHeader(headers, 'content-length') && !usuallyWithoutBody.has(target.method)) {
    own.push('Content-Length', '0')
  }
  return [...own, ...kept]
}

/** The answer's headers for the client. */
export function responseHeaders(headers: RawHeaders): string[] {
  // Trailers need chunks, and a length says that there are none.
  const hasLength = hasHeader(headers, 'content-length')
  return endToEnd(headers, (name) => name === 'trailer' && hasLength)
}

/** Headers of an upgrade pass whole: they are what it is about. */
export function upgradeHeaders(
  headers: RawHeaders,
  host: string,
  withheld: ReadonlySet<string> = new Set(),
): string[] {
  return [...pairs(headers)].flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (withheld.has(lower)) return []
    return lower === 'host' ? [name, host] : [name, value]
  })
}

/** Trailers in the form that Node takes. */
export function trailerPairs(headers: RawHeaders): [string, string][] {
  return [...pairs(headers)]
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

/** Undefined when the connection has nothing to say but whether it stays open. */
function namedByConnection(headers: RawHeaders): Set<string> | undefined {
  const tokens = values(headers, 'connection').flatMap((value) => value.toLowerCase().split(','))
  const names = tokens.map((token) => token.trim()).filter((token) => !plainTokens.has(token))
  return names.length === 0 ? undefined : new Set(names)
}

const plainTokens: ReadonlySet<string> = new Set(['', 'keep-alive', 'close', 'upgrade'])

function values(headers: RawHeaders, wanted: string): string[] {
  const found: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name.length === wanted.length && name.toLowerCase() === wanted) {
      found.push(headers[at + 1] ?? '')
    }
  }
  return found
}

function* pairs(headers: RawHeaders): Generator<[string, string]> {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    yield [headers[at] ?? '', headers[at + 1] ?? '']
  }
}
