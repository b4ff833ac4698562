// The chat page: three static files that show nothing private, so that they need no token.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setSecurityHeaders } from '@zee/core/http-guard'
import type { Call } from './routes.ts'

/** No inline code, and no requests but to this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const files = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
} as const

/** The handler for one of the files. */
export function pageFile(name: keyof typeof files): (call: Call) => Promise<void> {
  return async ({ request, response }) => {
    // Beside the bundle of the program.
    const body = readFileSync(path.join(__dirname, 'chat', name))
    setSecurityHeaders(response, policy)
    response.writeHead(200, { 'content-type': files[name], 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}
