// `fetch` for metadata and tokens: small responses, a time limit, the proxies of the environment. It never
// sends the headers of an MCP server to its authorization server.
import type { FetchLike } from '@modelcontextprotocol/client'
import { limitResponse } from '../http/http.ts'

const maxBytes = 1024 * 1024
const timeoutMs = 30_000

export function loginFetch(fetch: FetchLike, signal?: AbortSignal): FetchLike {
  return async (url, init) => {
    const limits = [AbortSignal.timeout(timeoutMs), signal, init?.signal ?? undefined]
    const response = await fetch(url, {
      ...init,
      signal: AbortSignal.any(limits.filter((each) => each !== undefined)),
    })
    return limitResponse(response, maxBytes)
  }
}
