// The `web_fetch` tool: fetches a page over HTTP and returns its text. It connects to no address of this
// machine or of a private network, unless the configuration allows the host.
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { oneLine, reasonOf } from '@zee/core/errors'
import { loadTransport, type HttpResponse } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolContext, ToolInput } from '../tools/tools.ts'
import { createWindowReader, requestedWindow, windowFields } from '../tools/tools.ts'
import { isPrivateAddress } from './addresses.ts'
import { pageText } from './page-text.ts'

export interface WebOptions {
  /** Hosts that may have private addresses. */
  allowedHosts: readonly string[]
  /** For proxies. */
  environment: Readonly<Record<string, string | undefined>>
}

const maxRedirects = 5
const maxBodyBytes = 5 * 1024 * 1024
const maxFetchMs = 60_000

export function webFetchTool(options: WebOptions): BuiltInTool {
  return {
    name: 'web_fetch',
    description: 'Fetch a web page as text; offset and limit are lines.',
    isReadOnly: true,
    schema: {
      type: 'object',
      properties: {
        url: { type: 'string' },
        offset: { type: 'integer' },
        limit: { type: 'integer' },
      },
      required: ['url'],
    },
    run: (input, context) => runFetch(input, context, options),
  }
}

async function runFetch(
  input: ToolInput,
  context: ToolContext,
  options: WebOptions,
): Promise<Envelope> {
  const range = requestedWindow(input)
  if (typeof range === 'string') {
    return failure('invalid_input', `Invalid input for web_fetch tool: ${range}`)
  }
  const limit = AbortSignal.timeout(maxFetchMs)
  const signal = AbortSignal.any([context.signal, limit])
  try {
    const { url, response, body } = await fetchPage(String(input.url), signal, options)
    const text = await pageText(response.headers['content-type'], body)
    const reader = createWindowReader(range ?? { offset: 1, limit: Number.MAX_SAFE_INTEGER })
    reader.add(Buffer.from(text))
    const window = reader.finish()
    return success({
      url: url.href,
      status: response.status,
      content: window.bytes.toString('utf8'),
      truncated: window.truncated,
      ...windowFields(window),
    })
  } catch (error) {
    context.signal.throwIfAborted()
    const reason = limit.aborted ? `no page within ${maxFetchMs / 1000} s` : reasonOf(error)
    return failure('fetch_error', `Cannot fetch ${oneLine(String(input.url))}: ${reason}`)
  }
}

interface Page {
  url: URL
  response: HttpResponse
  body: Buffer
}

async function fetchPage(start: string, signal: AbortSignal, options: WebOptions): Promise<Page> {
  const transport = await loadTransport({ environment: options.environment })
  try {
    let url = checkedUrl(start, options)
    for (let count = 0; count <= maxRedirects; count++) {
      const headers = { accept: 'text/html, text/*;q=0.9, */*;q=0.1', 'user-agent': 'zdx' }
      const lookup = publicLookup(url, options)
      const response = await transport.send({ method: 'GET', url, headers, signal, lookup })
      const { location } = response.headers
      const body = await readLimited(response)
      const isRedirect = [301, 302, 303, 307, 308].includes(response.status)
      if (!isRedirect || location === undefined) return { url, response, body }
      url = checkedUrl(new URL(location, url).href, options)
    }
    throw new Error(`it redirects more than ${maxRedirects} times`)
  } finally {
    transport.close()
  }
}

function checkedUrl(text: string, options: WebOptions): URL {
  if (!URL.canParse(text)) throw new Error('it is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('only http and https are supported')
  }
  if (url.username !== '' || url.password !== '') throw new Error('it holds credentials')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocalName = /(^|\.)localhost$/i.test(host)
  if ((isLocalName || (isIP(host) !== 0 && isPrivateAddress(host))) && !isAllowed(url, options)) {
    throw privateError(url.hostname)
  }
  return url
}

function isAllowed({ hostname, host }: URL, { allowedHosts }: WebOptions): boolean {
  return allowedHosts.includes(hostname) || allowedHosts.includes(host)
}

function privateError(host: string): Error {
  return new Error(
    `${oneLine(host)} has a private address; the user can allow it with web_fetch_hosts`,
  )
}

/** Checks the address that is connected to, so that a second DNS answer cannot differ. */
function publicLookup(url: URL, options: WebOptions): LookupFunction | undefined {
  if (isAllowed(url, options)) return undefined
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const isPrivate = addresses.some(({ address }) => isPrivateAddress(address))
      if (isPrivate) return callback(privateError(hostname), '', 0)
      if (lookupOptions.all === true) return callback(null, addresses)
      const [first] = addresses
      callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

async function readLimited({ body }: HttpResponse): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Error(`it is larger than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
