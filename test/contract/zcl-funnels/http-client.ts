// A node:http client that stores everything it receives, for tests of the HTTP proxy.
import { request as httpRequest, type IncomingMessage } from 'node:http'

export interface Got {
  status: number | undefined
  message: string | undefined
  headers: string[]
  body: Buffer
  trailers: string[]
  broken: boolean
}

export interface Ask {
  method?: string
  headers?: string[]
  body?: Buffer[]
  trailers?: [string, string][]
}

/** Sends one request on its own connection. */
export function ask(
  url: string,
  { method = 'GET', headers = [], body, trailers }: Ask = {},
): Promise<Got> {
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, agent: false, headers: ['Host', host, ...headers] })
    request.on('response', (response) => void collect(response).then(resolve))
    request.on('error', reject)
    for (const chunk of body ?? []) request.write(chunk)
    if (trailers !== undefined) request.addTrailers(trailers)
    request.end()
  })
}

export async function collect(response: IncomingMessage): Promise<Got> {
  const chunks: Buffer[] = []
  const broken = await new Promise<boolean>((resolve) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(false))
    response.on('error', () => resolve(true))
  })
  return {
    status: response.statusCode,
    message: response.statusMessage,
    headers: endToEnd(response.rawHeaders),
    body: Buffer.concat(chunks),
    trailers: response.rawTrailers,
    broken,
  }
}

/** The headers without hop-by-hop headers and the date. */
export function endToEnd(raw: readonly string[], ...more: string[]): string[] {
  const dropped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', ...more])
  return raw.flatMap((name, at) =>
    at % 2 === 0 && !dropped.has(name.toLowerCase()) ? [`${name}: ${raw[at + 1]}`] : [],
  )
}
