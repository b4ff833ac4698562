// `zeno serve --http`: MCP at /mcp and JSONL at /jsonl for many clients, over one engine. A token identifies a client;
// without tokens, all programs of this user are one client.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { serverLimits } from '@zee/core/http-guard'
import { openAccess } from '../../access/access.ts'
import type { Access } from '../../access/access.ts'
import { rootNamesOf } from '../access-check.ts'
import { waitForSignal } from '../stop-signal.ts'
import { openService } from '../../service/service.ts'
import type { OpenService, ServiceSettings } from '../../service/service.ts'
import { formatAddress, isLoopback, parseAddress } from './address.ts'
import type { ListenAddress } from './address.ts'
import { HttpClients } from './clients.ts'
import { defaultLimits } from './limits.ts'
import type { HttpLimits } from './limits.ts'
import { handleRequest } from './requests.ts'
import { ConnectionUsers } from './same-user.ts'

export type { HttpLimits }

export interface HttpSettings extends ServiceSettings, Partial<HttpLimits> {
  http: string
  /** Host names under which clients may reach the server, besides its address. */
  httpHost?: readonly string[]
}

/** Connections of all clients together. */
const maxConnections = 4096

export async function runServeHttp(settings: HttpSettings, host: Host): Promise<number> {
  const address = parseAddress(settings.http)
  if (settings.tokens === undefined && !isLoopback(address.host)) {
    throw usageError(`--http ${address.host} is open to other machines: pass --tokens <file>`)
  }
  const stopped = waitForSignal()
  const shared = await openService({ ...settings, socket: undefined }, host)
  try {
    await serve(shared, { settings, address, stopped }, host)
  } finally {
    await shared.close()
  }
  return 0
}

interface Serving {
  settings: HttpSettings
  address: ListenAddress
  stopped: Promise<void>
}

async function serve(
  shared: OpenService,
  { settings, address, stopped }: Serving,
  host: Host,
): Promise<void> {
  const limits = limitsOf(settings)
  const access = await accessOf(shared, settings, host)
  const log = settings.log === undefined ? undefined : path.resolve(host.cwd, settings.log)
  const clients = new HttpClients(shared, { limits, log }, host)
  const users = new ConnectionUsers()
  const context = { access, clients, limits, hosts: settings.httpHost ?? [], users }
  const server = createServer(
    { ...serverLimits, keepAliveTimeout: limits.idle * 1000 },
    (request: IncomingMessage, response: ServerResponse) =>
      void handleRequest(context, request, response).catch((error: unknown) => {
        if (!response.destroyed) host.stderr.write(`zeno: ${oneLine(reasonOf(error))}\n`)
        response.destroy()
      }),
  )
  server.maxConnections = maxConnections
  server.on('connection', (socket) => users.accept(socket))
  const bound = await listen(server, address)
  host.stderr.write(`zeno: listening on ${formatAddress(bound)}\n`)
  await stopped
  server.close()
  server.closeAllConnections()
  await clients.close()
}

function limitsOf({ concurrency, maxBody, idle }: Partial<HttpLimits>): HttpLimits {
  return {
    concurrency: concurrency ?? defaultLimits.concurrency,
    maxBody: maxBody ?? defaultLimits.maxBody,
    idle: idle ?? defaultLimits.idle,
  }
}

async function accessOf(
  shared: OpenService,
  settings: HttpSettings,
  host: Host,
): Promise<Access | undefined> {
  if (settings.tokens === undefined) return undefined
  return openAccess(settings.tokens, rootNamesOf(shared, settings), host)
}

async function listen(server: Server, address: ListenAddress): Promise<ListenAddress> {
  const failed = new Promise<never>((_, reject) => server.once('error', reject))
  server.listen({ host: address.host, port: address.port })
  try {
    await Promise.race([once(server, 'listening'), failed])
  } catch (error) {
    const message = `cannot listen on ${formatAddress(address)}: ${reasonOf(error)}`
    throw new ZeeError('listen', message, { cause: error })
  }
  return { host: address.host, port: (server.address() as AddressInfo).port }
}
