// Receives the redirect of a login page: a server on loopback that waits for one request.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback {
  port: number
  /** The query of the expected request; rejects when the signal aborts. */
  query: Promise<URLSearchParams>
  close(): void
}

/** Other requests than the expected one get 404, so that another page cannot end the wait. */
export async function listenForCallback(
  isExpected: (pathname: string, query: URLSearchParams) => boolean,
  signal: AbortSignal,
): Promise<Callback> {
  let accept: (query: URLSearchParams) => void = () => {}
  const query = new Promise<URLSearchParams>((resolve, reject) => {
    accept = resolve
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
  query.catch(() => {})
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isValid = isExpected(url.pathname, url.searchParams)
    const isRefused = url.searchParams.has('error')
    response.writeHead(isValid ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
    const text = isRefused ? 'The login was refused.' : 'You are logged in.'
    response.end(isValid ? `${text} You can close this page.\n` : 'Not found.\n')
    if (isValid) accept(url.searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    query,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
