// One HTTP request: checks of host, origin and token, then the endpoint of its path.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, refuseAccess, setSecurityHeaders } from '@zee/core/http-guard'
import type { Refusal } from '@zee/core/http-guard'
import type { Access, Client } from '../../access/access.ts'
import type { HttpClient, HttpClients } from './clients.ts'
import { answerJsonl } from './jsonl.ts'
import type { HttpLimits } from './limits.ts'
import type { ConnectionUsers } from './same-user.ts'

export interface RequestContext {
  /** Undefined without --tokens: then programs of this user are one client. */
  access: Access | undefined
  clients: HttpClients
  limits: HttpLimits
  hosts: readonly string[]
  users: ConnectionUsers
}

type Problem = Pick<Refusal, 'message' | 'headers'> & { status: number; code: string }

const notFound: Problem = {
  status: 404,
  code: 'not_found',
  message: 'there is MCP at /mcp and JSONL at /jsonl',
}
const onlyPost: Problem = {
  status: 405,
  code: 'method_not_allowed',
  message: 'send request lines by POST',
  headers: { allow: 'POST' },
}
const otherUser: Problem = {
  status: 403,
  code: 'other_user',
  message: 'without --tokens, only programs of the same user are served',
}
const tooMany: Problem = {
  status: 429,
  code: 'too_many_requests',
  message: 'too many requests of this client wait',
  headers: { 'retry-after': '1' },
}

const overloaded: Problem = {
  status: 503,
  code: 'server_busy',
  message: 'earlier requests of this client take too long',
  headers: { 'retry-after': '5' },
}

export async function handleRequest(
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  setSecurityHeaders(response)
  const found = findClient(context, request)
  if ('problem' in found) return refuse(response, found.problem)
  const client = context.clients.get(found.client)
  const path = (request.url ?? '/').replace(/[?#].*$/s, '')
  if (path !== '/mcp' && path !== '/jsonl') return refuse(response, notFound)
  if (path === '/jsonl' && request.method !== 'POST') return refuse(response, onlyPost)
  if (client.slots.isFull) return refuse(response, tooMany)
  const { bytes, refusal } = await readBody(request, {
    maxBytes: context.limits.maxBody,
    timeoutMs: context.limits.idle * 1000,
  })
  if (refusal !== undefined) return refuse(response, refusal)
  if (client.slots.isFull) return refuse(response, tooMany)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const hasRun = await client.slots.run(async () => {
    if (left.signal.aborted) return
    await answer(context, client, { path, request, bytes, response, signal: left.signal })
  })
  if (!hasRun && !left.signal.aborted) refuse(response, overloaded)
}

interface Exchange {
  path: string
  request: IncomingMessage
  bytes: Buffer
  response: ServerResponse
  signal: AbortSignal
}

async function answer(
  { limits }: RequestContext,
  client: HttpClient,
  { path, request, bytes, response, signal }: Exchange,
): Promise<void> {
  const flow = { idleMs: limits.idle * 1000, signal }
  try {
    if (path === '/jsonl') return await answerJsonl(client.newService(), bytes, response, flow)
    const { answerMcp } = await import('./mcp-endpoint.ts')
    const body = request.method === 'POST' ? bytes : undefined
    await answerMcp(await client.mcp(), request, body, response, flow)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function findClient(
  { access, hosts, users }: RequestContext,
  request: IncomingMessage,
): { client: Client } | { problem: Problem } {
  let client: Client | undefined
  const findToken = (candidate: string): boolean => {
    client = access?.clientOf(candidate)
    return client !== undefined
  }
  const token = access === undefined ? undefined : findToken
  const refusal = refuseAccess(request, { token, hosts })
  if (refusal !== undefined) return { problem: refusal }
  if (client !== undefined) return { client }
  return users.isSameUser(request.socket)
    ? { client: { number: 0, roots: undefined } }
    : { problem: otherUser }
}

function refuse(response: ServerResponse, { status, code, message, headers }: Problem): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(`${JSON.stringify({ error: { code, message } })}\n`)
}
