// A stand-in for the upstream of a proxy in a fork: answers from the trace, and forwards live requests.
import { request as plainRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { AttemptContext } from '@zee/evidence/attempt'
import { openServed, readServePlan, servedFileName } from '../../../served/served.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { parseUpstream, proxyUrl, type Upstream } from '../../funnels.ts'
import { listenOn } from '../../listen-on.ts'
import { servedAnswersServer } from './served-answers.ts'

export interface ServedUpstream {
  /** The address of the stand-in. */
  upstream: Upstream
  close(): void
}

export async function servedUpstream(
  name: string,
  upstream: Upstream,
  { folder, identity }: AttemptContext,
  host: Host,
): Promise<ServedUpstream> {
  const redactor = redactorFor(host)
  const plan = await readServePlan(name, host.cwd)
  const served = await openServed(plan, redactor, path.join(folder, servedFileName))
  const server = servedAnswersServer({
    served,
    redactor,
    identity,
    basePath: upstream.basePath,
    live: (request, body, response) => forward(upstream, request, body, response),
  })
  const address = await listenOn(server, { host: '127.0.0.1', port: 0 })
  return {
    upstream: parseUpstream(proxyUrl(address)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Sends a request to the real service; the proxy has rewritten its head already. */
function forward(
  { isSecure, hostname, port }: Upstream,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const send = isSecure ? secureRequest : plainRequest
  const { 'transfer-encoding': _, ...kept } = headers
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
  const outgoing = send(
    { hostname, port, method, path: url, headers: { ...kept, ...length } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    },
  )
  outgoing.on('error', () => response.destroy())
  outgoing.end(body)
}
