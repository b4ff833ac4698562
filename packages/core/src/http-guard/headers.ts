// The headers of every response: no caching, no framing, no use by other origins.
import type { ServerResponse } from 'node:http'

/** Sets them together with the content security policy of the response. */
export function setSecurityHeaders(response: ServerResponse, policy = "default-src 'none'"): void {
  response.setHeader('content-security-policy', policy)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('x-frame-options', 'DENY')
}
