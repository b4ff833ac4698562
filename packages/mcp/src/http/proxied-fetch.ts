// `fetch` for MCP servers over HTTP that honours the proxy variables, which the `fetch` of Node 20 ignores.
import { findProxy, loadTransport, type HttpResponse, type Transport } from '@zee/llm'

type Environment = Readonly<Record<string, string | undefined>>

/** The connections through a proxy are kept until `close`. */
export interface ProxiedFetch {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  close(): void
}

export function createProxiedFetch(environment: Environment): ProxiedFetch {
  let transport: Promise<Transport> | undefined
  return {
    async fetch(url, init = {}) {
      const target = new URL(url)
      if (findProxy(target, environment) === undefined) return fetch(url, init)
      transport ??= loadTransport({ environment })
      const response = await (
        await transport
      ).send({
        method: methodOf(init),
        url: target,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...bodyOf(init),
        signal: init.signal ?? new AbortController().signal,
      })
      return toResponse(response)
    },
    close() {
      void transport?.then((opened) => opened.close())
    },
  }
}

/** Messages are strings; requests to an authorization server are forms. */
function bodyOf({ body }: RequestInit): { body?: string } {
  if (typeof body === 'string') return { body }
  return body instanceof URLSearchParams ? { body: body.toString() } : {}
}

function methodOf({ method }: RequestInit): 'GET' | 'POST' | 'DELETE' {
  return method === 'POST' || method === 'DELETE' ? method : 'GET'
}

const statusesWithoutBody = new Set([204, 205, 304])

function toResponse({ status, headers, body }: HttpResponse): Response {
  const fields = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) if (each !== undefined) fields.append(name, each)
  }
  const content = statusesWithoutBody.has(status) ? null : ReadableStream.from(body)
  return new Response(content, { status, headers: fields })
}
