// HTTP for MCP servers and their authorization servers: proxies and size limits.
export { boundedFetch, limitResponse } from './bounded-fetch.ts'
export type { ProxiedFetch } from './proxied-fetch.ts'
export { createProxiedFetch } from './proxied-fetch.ts'
